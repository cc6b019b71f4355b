import type { RunEvent, RunSummary, StageName } from '@r2e/spec'

/** A candidate that is being worked on. */
export interface ActiveCandidate {
  readonly id: string
  readonly title: string
  readonly stage: StageName
  readonly detail: string
  /** Milliseconds on the clock of the events. */
  readonly since: number
}

/** Everything a renderer shows, made of events alone. */
export interface RunView {
  readonly run: string
  readonly pipeline: string
  readonly repo: string
  readonly startedAt: number
  /** Found and not settled, by id, with their titles: as many as the queues of the engine hold. */
  readonly waiting: ReadonlyMap<string, string>
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
  waiting: new Map(),
  admitted: 0,
  skipped: 0,
  failed: 0,
  replayed: 0,
  active: [],
  summary: undefined,
}

/** The next view; `at` is the time of the event in milliseconds. Nothing is shown before a run starts. */
export function reduce(view: RunView, event: RunEvent, at: number): RunView {
  if (event.type === 'run-start') {
    return { ...view, run: event.run, pipeline: event.pipeline, repo: event.repo, startedAt: at }
  }
  if (view.run === '') return view
  if (event.type === 'candidate-found') return { ...view, waiting: new Map(view.waiting).set(event.id, event.title) }
  if (event.type === 'stage-start') return { ...view, active: withStage(view, event, at) }
  if (event.type === 'candidate-end') return ended(view, event)
  if (event.type === 'candidate-revised') return revised(view, event)
  // The work on candidates that a reached limit made needless has ended by then.
  if (event.type === 'notice' && event.code === 'shared_quarantine') return { ...view, active: [] }
  if (event.type === 'run-end') return { ...view, active: [], summary: event.summary }
  return view
}

function withStage(
  { active, waiting }: RunView,
  event: Extract<RunEvent, { type: 'stage-start' }>,
  at: number,
): readonly ActiveCandidate[] {
  const { id, stage, detail = '' } = event
  const standing = active.find((one) => one.id === id)
  const next = { id, title: waiting.get(id) ?? '', stage, detail, since: standing?.since ?? at }
  return standing ? active.map((one) => (one === standing ? next : one)) : [...active, next]
}

function without(active: readonly ActiveCandidate[], id: string): readonly ActiveCandidate[] {
  return active.filter((one) => one.id !== id)
}

function ended(view: RunView, event: Extract<RunEvent, { type: 'candidate-end' }>): RunView {
  const { state } = event.end
  const waiting = new Map(view.waiting)
  waiting.delete(event.id)
  return {
    ...view,
    waiting,
    admitted: view.admitted + (state === 'admitted' ? 1 : 0),
    skipped: view.skipped + (state === 'skipped' ? 1 : 0),
    failed: view.failed + (state === 'failed' ? 1 : 0),
    replayed: view.replayed + (event.replayed ? 1 : 0),
    active: without(view.active, event.id),
  }
}

function revised(view: RunView, event: Extract<RunEvent, { type: 'candidate-revised' }>): RunView {
  const { state } = event.end
  return {
    ...view,
    admitted: view.admitted - (state === 'admitted' ? 0 : 1),
    skipped: view.skipped + (state === 'skipped' ? 1 : 0),
    failed: view.failed + (state === 'failed' ? 1 : 0),
    active: without(view.active, event.id),
  }
}

export function settledCount({ admitted, skipped, failed }: RunView): number {
  return admitted + skipped + failed
}

/**
 * Milliseconds until `limit` tasks are admitted at the yield and pace so far; undefined until there is one of both. A
 * history that ends earlier ends the run earlier.
 */
export function timeLeft(view: RunView, at: number, limit: number | undefined): number | undefined {
  const worked = settledCount(view) - view.replayed
  if (limit === undefined || view.admitted === 0 || worked <= 0) return undefined
  const perCandidate = (at - view.startedAt) / worked
  const perTask = perCandidate * (settledCount(view) / view.admitted)
  return Math.max(0, limit - view.admitted) * perTask
}
