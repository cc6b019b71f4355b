import type { RunEvent } from '@r2e/spec'
import { expect, it } from 'vitest'
import { sampleRun } from '../__fixtures__/sample-run.ts'
import { liveLines } from './live-lines.ts'
import { emptyView, type RunView, reduce, timeLeft } from './view.ts'

/** One event a second, from second 100 on. */
function viewAfter(events: readonly RunEvent[]): { view: RunView; at: number } {
  const view = events.reduce((view, event, index) => reduce(view, event, 100_000 + index * 1000), emptyView)
  return { view, at: 100_000 + events.length * 1000 }
}

it('counts what was found and how it ended, and forgets what is done', () => {
  const { view } = viewAfter(sampleRun)
  expect(view).toMatchObject({ admitted: 1, skipped: 2, failed: 1, replayed: 1, waiting: new Map(), active: [] })
  expect(view.summary?.candidates).toBe(4)
})

it('changes nothing in place', () => {
  const deepFrozen = sampleRun.reduce((view, event) => Object.freeze(reduce(view, event, 1)), Object.freeze(emptyView))
  expect(deepFrozen.skipped).toBe(2)
  expect(emptyView.waiting.size).toBe(0)
})

it('draws stage, counts, candidates in hand, elapsed and left time', () => {
  const { view, at } = viewAfter(sampleRun.slice(0, 10))
  const lines = liveLines(view, at, { limit: 3, size: { columns: 100, rows: 8 } })
  expect(lines.join('\n')).toMatchInlineSnapshot(`
    "emitted 0/3 · skipped 2 · failed 0 · candidates 2/4 · 10 s
      observe     -aaaaaaaaaaaa Fix the sum of nothing solved 2 of 3 (4 s)"
  `)
  const later = viewAfter(sampleRun.slice(0, 13))
  expect(liveLines(later.view, later.at, { limit: 3, size: { columns: 100, rows: 8 } })[0]).toMatchInlineSnapshot(
    `"emitted 1/3 · skipped 2 · failed 1 · candidates 4/4 · 13 s · at most about 35 s left"`,
  )
})

it('cuts the view to the terminal', () => {
  const { view, at } = viewAfter(sampleRun.slice(0, 10))
  const lines = liveLines(view, at, { limit: undefined, size: { columns: 30, rows: 1 } })
  expect(lines).toHaveLength(view.active.length > 1 ? 3 : 2)
  for (const line of lines) expect(line.length).toBeLessThan(30)
})

it('keeps escape sequences of titles off the terminal', () => {
  const title = '\u001b[2J\u009b1mred\u202e'
  const events: RunEvent[] = [
    { type: 'candidate-found', id: '-1', title, index: 0 },
    { type: 'stage-start', id: '-1', stage: 'observe' },
  ]
  const view = events.reduce((view, event) => reduce(view, event, 0), { ...emptyView, run: 'r' })
  const [, line] = liveLines(view, 0, { limit: undefined, size: { columns: 80, rows: 8 } })
  expect(line).toBe('  observe     -1 \ufffd[2J\ufffd1mred\ufffd (0 s)')
})

it('estimates from the pace of this run and the yield of all', () => {
  const view = { ...emptyView, startedAt: 0, admitted: 4, skipped: 6, replayed: 5 }
  expect(timeLeft(view, 10_000, undefined)).toBeUndefined()
  expect(timeLeft(view, 10_000, 6)).toBe(10_000)
  expect(timeLeft(view, 10_000, 4)).toBe(0)
  expect(timeLeft({ ...view, admitted: 0 }, 10_000, 6)).toBeUndefined()
  expect(timeLeft({ ...view, replayed: 10 }, 10_000, 6)).toBeUndefined()
})

it('shows what is proven anew, and counts what is withdrawn', () => {
  const { view } = viewAfter(sampleRun.slice(0, 10))
  const again = reduce(view, { type: 'notice', level: 'info', code: 'shared_quarantine', message: 'anew' }, 1)
  expect(again.active).toEqual([])
  const taskId = 'local__demo-cccccccccccc'
  const flaky = { state: 'skipped', reason: 'flaky', detail: '' } as const
  const event = { type: 'candidate-revised', id: '-cccccccccccc', title: '', taskId } as const
  const started = reduce({ ...again, admitted: 1 }, { type: 'stage-start', id: event.id, stage: 'observe' }, 2)
  expect(reduce(started, { ...event, end: { state: 'admitted', taskId } }, 3)).toMatchObject({
    admitted: 1,
    active: [],
  })
  expect(reduce(started, { ...event, end: flaky }, 3)).toMatchObject({ admitted: 0, skipped: view.skipped + 1 })
})
