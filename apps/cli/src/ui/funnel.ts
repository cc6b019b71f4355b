import type { JsonObject, JsonValue, RunSummary } from '@r2e/spec'
import { printable } from '../output/printable.ts'
import { durationText } from './duration.ts'
import { quoted } from './quoted.ts'

export interface FunnelOptions {
  readonly dryRun: boolean
  /** Shown in place of absolute paths below it. */
  readonly directory: string
  /** Flags of the sandbox that the run was given, for the next command. */
  readonly sandbox?: readonly string[]
}

/** The end of every run: candidates, each skip reason with its count, emitted; where things lie; what to type next. */
export function funnelLines(summary: RunSummary, options: FunnelOptions): readonly string[] {
  return [
    '',
    ...counts(summary, options.dryRun),
    '',
    `${stopText(summary)} after ${durationText(summary.seconds * 1000)}${efficiencyText(summary)}`,
    ...places(summary, options),
    ...nextSteps(summary, options),
  ]
}

function counts(summary: RunSummary, dryRun: boolean): readonly string[] {
  const reasons = Object.entries(summary.skipped).sort(([a, m], [b, n]) => n - m || (a < b ? -1 : 1))
  const { transient, bug } = summary.failed
  const left = toTry(summary)
  const rows: [string, number][] = [
    ['candidates', summary.candidates],
    ...reasons.map(([reason, count]): [string, number] => [`  ${printable(reason)}`, -count]),
    ...(transient > 0 ? [['  failed (transient)', -transient] as [string, number]] : []),
    ...(bug > 0 ? [['  failed (internal)', -bug] as [string, number]] : []),
    ...(left > 0 || dryRun
      ? [[dryRun ? 'would be tried' : '  undecided', dryRun ? left : -left] as [string, number]]
      : []),
    ...(dryRun ? [] : [['emitted', summary.admitted] as [string, number]]),
  ]
  const width = Math.max(...rows.map(([name]) => name.length))
  const digits = Math.max(...rows.map(([, count]) => String(count).length))
  return rows.map(([name, count]) => `${name.padEnd(width)}  ${String(count).padStart(digits)}`)
}

/** Candidates that nothing was decided about. */
function toTry({ candidates, admitted, skipped, failed }: RunSummary): number {
  const left = Object.values(skipped).reduce((sum, count) => sum + count, 0)
  return candidates - admitted - left - failed.transient - failed.bug
}

function stopText({ stop }: RunSummary): string {
  const texts = {
    exhausted: 'all candidates were looked at',
    limit: 'the limit of tasks was reached',
    max_candidates: 'max_candidates was reached',
    interrupted: 'interrupted',
    budget: 'stopped by a cap',
  } satisfies Record<RunSummary['stop'], string>
  return texts[stop]
}

function efficiencyText({ efficiency }: RunSummary): string {
  return efficiency > 0 ? `, ${Math.round(efficiency * 100)} % of the cores in tests` : ''
}

function places(summary: RunSummary, options: FunnelOptions): readonly string[] {
  const bytes = summary.details.task_disk_bytes
  return [
    ...(options.dryRun && typeof bytes === 'number'
      ? [
          `estimate ${(bytes / 1e6).toFixed(1)} MB of tasks at most, ${callsText(summary.details.llm_cost_usd)} of model calls`,
        ]
      : []),
    ...spendLines(summary.details.llm),
    ...(summary.dataset === undefined ? [] : [`dataset  ${shorten(summary.dataset, options.directory)}`]),
    ...(summary.ledger === '' ? [] : [`ledger   ${shorten(summary.ledger, options.directory)}`]),
  ]
}

const callsText = (usd: JsonValue | undefined): string =>
  usd === null ? 'an unlimited cost' : `${usd ? 'at most ' : ''}${String(usd ?? 0)} USD`

/** What models cost, by phase; a cost that nothing tells is unknown, and never 0. */
function spendLines(llm: JsonValue | undefined): readonly string[] {
  if (!isObject(llm)) return []
  const phases = isObject(llm.phases) ? Object.entries(llm.phases) : []
  const parts = phases.map(([phase, spent]) => `${phase} ${isObject(spent) ? costText(spent) : ''}`)
  return [`models   ${costText(llm)} for ${String(llm.calls)} calls (${parts.join(', ')})`]
}

function costText({ cost_usd, input_tokens, output_tokens, at_most }: JsonObject): string {
  if (typeof cost_usd === 'number') return `${at_most ? 'at most ' : ''}${cost_usd.toFixed(4)} USD`
  return `an unknown cost, ${Number(input_tokens) + Number(output_tokens)} tokens`
}

const isObject = (value: JsonValue | undefined): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

function nextSteps(summary: RunSummary, options: FunnelOptions): readonly string[] {
  const dataset = summary.dataset === undefined ? undefined : quoted(shorten(summary.dataset, options.directory))
  if (summary.stop === 'interrupted') return [`next     the same command${options.dryRun ? '' : ' with --resume'}`]
  if (summary.stop === 'budget') return ['next     the same command with a higher cap and --resume']
  if (options.dryRun && toTry(summary) > 0) return ['next     the same command without --dry-run']
  if (summary.failed.transient > 0)
    return ['next     the same command with --resume tries the transient failures again']
  if (summary.admitted > 0 && dataset !== undefined)
    return [`next     ${['r2e validate', dataset, '--oracle --nop', ...(options.sandbox ?? []).map(quoted)].join(' ')}`]
  if (summary.candidates === 0)
    return [`next     another --ref or pipeline, or wider options: r2e pipelines describe ${summary.pipeline}`]
  if (options.dryRun) return [`next     wider options: r2e pipelines describe ${summary.pipeline} explains each reason`]
  return [`next     the ledger says why; r2e pipelines describe ${summary.pipeline} explains each reason and option`]
}

function shorten(path: string, directory: string): string {
  const shown =
    path === directory ? '.' : path.startsWith(`${directory}/`) ? `./${path.slice(directory.length + 1)}` : path
  return printable(shown)
}
