import type { ValidateEvent, ValidateSummary } from '@r2e/engine'
import { printable } from '../output/printable.ts'

export interface LineOptions {
  readonly quiet: boolean
  readonly verbose: boolean
}

/** The lines that an event of a validation adds: findings, and one line for each task. */
export function validateLines(event: ValidateEvent, { quiet, verbose }: LineOptions): readonly string[] {
  if (event.type === 'finding') {
    const { level, task, code, message } = event
    return quiet && level === 'warning' ? [] : [`${level.padEnd(8)} ${printable(task)} ${code}: ${printable(message)}`]
  }
  if (quiet) return []
  if (event.type === 'task-end') return [`${event.valid ? 'valid' : 'invalid'}`.padEnd(9) + printable(event.task)]
  if (event.type === 'task-run') {
    const { run, state, turn } = event
    const end = run.outcome === 'graded' ? `reward ${run.reward}` : run.outcome
    return [`${`${state} ${turn}`.padEnd(9)}${printable(event.task)} ${end}`]
  }
  return verbose ? [`${'checking'.padEnd(9)}${printable(event.task)}`] : []
}

/** `running`: runs were asked for, so that their absence is told. */
export function validateEndLine(summary: ValidateSummary, { running }: { readonly running: boolean }): string {
  const { tasks, valid, warnings, runs, errors } = summary
  const ran = runs > 0 ? [plural(runs, 'run')] : running ? ['nothing to run: no task has an environment'] : []
  const more = [plural(errors, 'error'), plural(warnings, 'warning'), ...ran].join(', ')
  return valid === tasks
    ? `all ${plural(tasks, 'task')} valid (${more})`
    : `${tasks - valid} of ${plural(tasks, 'task')} invalid (${more})`
}

function plural(count: number, word: string): string {
  return `${count} ${word}${count === 1 ? '' : 's'}`
}
