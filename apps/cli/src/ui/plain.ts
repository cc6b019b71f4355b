import type { CandidateEnd, RunEvent } from '@r2e/spec'
import { clip, printable } from '../output/printable.ts'

export interface PlainOptions {
  readonly verbose: boolean
  /** Candidates are the result of a dry run, so they are listed. */
  readonly dryRun: boolean
}

/** The lines that an event adds to a log; most stages add none. */
export function plainLines(event: RunEvent, { verbose, dryRun }: PlainOptions): readonly string[] {
  switch (event.type) {
    case 'candidate-found':
      return dryRun ? [`found   ${event.id} "${clip(event.title, 100)}"`] : []
    case 'run-start':
      return [
        `run ${event.run}: ${event.pipeline} on ${printable(event.repo)} at ${event.head.slice(0, 12)}` +
          `${event.resumed ? ' (resumed)' : ''}`,
      ]
    case 'candidate-end':
      return event.replayed && !verbose ? [] : [endLine(event.id, event.title, event.end)]
    case 'candidate-revised':
      return [revisedLine(event)]
    case 'stage-start':
      return verbose ? [`  ${event.id} ${event.stage} …${event.detail ? ` ${clip(event.detail, 100)}` : ''}`] : []
    case 'stage-end':
      return verbose
        ? [`  ${event.id} ${event.stage} ${event.ms} ms${event.detail ? ` ${clip(event.detail, 100)}` : ''}`]
        : []
    case 'notice':
      return event.level === 'warning' || verbose ? [noticeLine(event)] : []
    default:
      return []
  }
}

export function noticeLine(event: Extract<RunEvent, { type: 'notice' }>): string {
  return `${event.level === 'warning' ? 'warning: ' : ''}${printable(event.message)} (${event.code})`
}

function revisedLine({ id, title, taskId, end }: Extract<RunEvent, { type: 'candidate-revised' }>): string {
  if (end.state === 'admitted') return `revised ${taskId}: proven anew without tests that moved in other tasks`
  return `withdrew ${taskId}: ${endLine(id, title, end)}`
}

function endLine(id: string, title: string, end: CandidateEnd): string {
  const name = `${id}${title === '' ? '' : ` "${clip(title, 60)}"`}`
  if (end.state === 'admitted') return `emitted ${end.taskId}${title === '' ? '' : ` "${clip(title, 60)}"`}`
  const detail = end.detail === '' ? '' : `: ${clip(end.detail, 160)}`
  if (end.state === 'skipped') return `skipped ${name} ${end.reason}${detail}`
  return `failed  ${name} ${end.code} (${end.fault})${detail}`
}
