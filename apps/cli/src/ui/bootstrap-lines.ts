import type { BootstrapEvent, EnvironmentRecord } from '@r2e/bootstrap'
import { clip, printable } from '../output/printable.ts'

export interface BootstrapLineOptions {
  readonly verbose: boolean
}

type Event<Type extends BootstrapEvent['type']> = Extract<BootstrapEvent, { type: Type }>

/** The lines that an event of making an environment adds: what says so, what was tried and how it ended. */
export function bootstrapLines(event: BootstrapEvent, { verbose }: BootstrapLineOptions): readonly string[] {
  switch (event.type) {
    case 'bootstrap-start':
      return [
        `bootstrap ${printable(event.repo)} at ${event.commit.slice(0, 12)} (${event.sandbox}, ${event.platform})`,
      ]
    case 'lock-wait':
      return ['waiting  another process makes this environment']
    case 'recipe-inferred':
      return inferredLines(event)
    case 'attempt-start':
      return verbose ? [`trying   ${event.recipe} on ${printable(event.base_image)}`] : []
    case 'attempt-end':
      return [attemptLine(event)]
    case 'mend-start':
      return [`mending  with the model; transcript: ${printable(event.transcript)}`]
    case 'mend-end':
      return [
        `mended   ${event.outcome} after ${event.iterations} turns, ${event.seconds} s: ${clip(event.detail, 160)}`,
      ]
    case 'proof-start':
      return verbose ? [`proving  ${event.recipe} from nothing, whole suite twice`] : []
    case 'proof-end':
      return [proofLine(event)]
    case 'bootstrap-end':
      return event.cached
        ? [`stored   proven at ${printable(event.record.extra.made_at)}; nothing was built or run`]
        : []
  }
}

function inferredLines(event: Event<'recipe-inferred'>): string[] {
  const { recipe, source, differs_in, language, base_image, runner, origin } = event
  const from = { inferred: 'inferred', stored: 'known', agent: 'mended' }[source]
  const head = `${from.padEnd(8)} ${recipe} ${language} on ${printable(base_image)}, tests by ${printable(runner)}`
  const facts = origin.map(({ fact, file }) => `           ${clip(file, 60)}: ${clip(fact, 100)}`)
  const others = differs_in.length > 0 ? [`           unlike the first in ${differs_in.map(printable).join(', ')}`] : []
  return [head, ...facts, ...others]
}

function attemptLine(event: Event<'attempt-end'>): string {
  if (!event.ok) return failureLine(event)
  return `ok       ${event.recipe} builds; ${event.seen} tests seen, ${event.passed} pass (${event.seconds} s)`
}

function failureLine(event: { recipe: number; seconds: number; reason: string; detail: string }): string {
  return `failed   ${event.recipe} ${event.reason}: ${clip(event.detail, 400)} (${event.seconds} s)`
}

function proofLine(event: Event<'proof-end'>): string {
  if (!event.ok) return failureLine(event)
  if (event.known) return `proven   ${event.recipe} earlier, for equal manifests on the same base`
  const runs = event.runs.map(({ seen, passed }) => `${passed} of ${seen}`).join(', then ')
  return `proven   ${event.recipe} built from nothing; ${runs} tests pass; ${agreement(event.unstable)} (${event.seconds} s)`
}

function agreement(unstable: readonly string[]): string {
  if (unstable.length === 0) return 'both runs agree'
  const named = unstable.slice(0, 3).map((id) => clip(id, 80))
  const more = unstable.length > named.length ? ` and ${unstable.length - named.length} more` : ''
  return `differing between the runs: ${named.join(', ')}${more}`
}

export interface EndOptions {
  readonly directory: string
  /** What was typed of flags that `generate` needs alike. */
  readonly flags: readonly string[]
}

/** The recipe as a Dockerfile, where everything is, and the line to type next. */
export function environmentLines(record: EnvironmentRecord, { directory, flags }: EndOptions): readonly string[] {
  const dockerfile = record.dockerfile_reconstruction.trimEnd().split('\n')
  return [
    '',
    ...dockerfile.map((line) => printable(line)),
    '',
    ...record.test_cmds.map((line) => `tests    ${printable(line)}`),
    `verified ${printable(record.verify_detail)}`,
    `stored   ${printable(directory)}`,
    `image    ${printable(record.image_tag)}`,
    `next     ${['r2e generate', ...flags, '--pipeline commit_runtime --out ./dataset'].map(printable).join(' ')}`,
  ]
}
