import type { RunEvent, RunSummary, StageName } from '@r2e/spec'

/** A candidate that is being worked on. */
export interface ActiveCandidate {
  readonly id: string
  readonly title: string
  readonly stage: StageName | undefined
  /** Milliseconds on the clock of the events. */
  readonly since: number
}

/** Everything a renderer shows, made of events alone. */
export interface RunView {
  readonly run: string
  readonly pipeline: string
  readonly repo: string
  readonly startedAt: number
  readonly discovered: boolean
  readonly found: number
  readonly admitted: number
  readonly skipped: number
  readonly failed: number
  /** Ends that a resumed run read from its journal: no time was spent on them. */
  readonly replayed: number
  readonly active: readonly ActiveCandidate[]
  readonly summary: RunSummary | undefined
}

export const emptyView: RunView = {
  run: '',
  pipeline: '',
  repo: '',
  startedAt: 0,
  discovered: false,
  found: 0,
  admitted: 0,
  skipped: 0,
  failed: 0,
  replayed: 0,
  active: [],
  summary: undefined,
}

/** The next view; `at` is the time of the event in milliseconds. */
export function reduce(view: RunView, event: RunEvent, at: number): RunView {
  switch (event.type) {
    case 'run-start':
      return { ...view, run: event.run, pipeline: event.pipeline, repo: event.repo, startedAt: at }
    case 'candidate-found':
      return { ...view, found: view.found + 1 }
    case 'stage-start':
      return { ...view, active: withStage(view.active, event, at) }
    case 'stage-end':
      return event.stage === 'discover' ? { ...view, discovered: true, active: without(view.active, event.id) } : view
    case 'candidate-end':
      return ended(view, event)
    case 'run-end':
      return { ...view, active: [], summary: event.summary }
    default:
      return view
  }
}

function withStage(
  active: readonly ActiveCandidate[],
  event: Extract<RunEvent, { type: 'stage-start' }>,
  at: number,
): readonly ActiveCandidate[] {
  const standing = active.find(({ id }) => id === event.id)
  const next = {
    id: event.id,
    title: event.detail ?? standing?.title ?? '',
    stage: event.stage,
    since: standing?.since ?? at,
  }
  return standing ? active.map((one) => (one === standing ? next : one)) : [...active, next]
}

function without(active: readonly ActiveCandidate[], id: string): readonly ActiveCandidate[] {
  return active.filter((one) => one.id !== id)
}

function ended(view: RunView, event: Extract<RunEvent, { type: 'candidate-end' }>): RunView {
  const { state } = event.end
  return {
    ...view,
    admitted: view.admitted + (state === 'admitted' ? 1 : 0),
    skipped: view.skipped + (state === 'skipped' ? 1 : 0),
    failed: view.failed + (state === 'failed' ? 1 : 0),
    replayed: view.replayed + (event.replayed ? 1 : 0),
    active: without(view.active, event.id),
  }
}

/** Milliseconds to go, as far as the work so far tells: to the limit of tasks or to the last known candidate. */
export function timeLeft(view: RunView, at: number, limit: number | undefined): number | undefined {
  const elapsed = at - view.startedAt
  const done = view.admitted + view.skipped + view.failed
  const worked = done - view.replayed
  if (elapsed <= 0 || worked <= 0) return undefined
  const perCandidate = elapsed / worked
  const toLast = view.discovered ? Math.max(0, view.found - done) * perCandidate : undefined
  const toLimit =
    limit !== undefined && view.admitted > 0
      ? Math.max(0, limit - view.admitted) * perCandidate * (done / view.admitted)
      : undefined
  if (toLast === undefined || toLimit === undefined) return toLast ?? toLimit
  return Math.min(toLast, toLimit)
}
