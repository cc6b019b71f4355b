import { clip } from '../output/printable.ts'
import { durationText } from './duration.ts'
import { type RunView, settledCount, timeLeft } from './view.ts'

export interface LiveSize {
  readonly columns: number
  /** Candidates shown. */
  readonly rows: number
}

/** The live view as lines; `at` is now, `limit` the tasks wanted. */
export function liveLines(
  view: RunView,
  at: number,
  options: { limit: number | undefined; size: LiveSize },
): readonly string[] {
  const { limit, size } = options
  const left = timeLeft(view, at, limit)
  const done = settledCount(view)
  const head = [
    `emitted ${view.admitted}${limit === undefined ? '' : `/${limit}`}`,
    `skipped ${view.skipped}`,
    `failed ${view.failed}`,
    `candidates ${done}/${done + view.waiting.size}`,
    durationText(at - view.startedAt),
    ...(left === undefined ? [] : [`at most about ${durationText(left)} left`]),
  ].join(' · ')
  const shown = view.active.slice(0, size.rows)
  const rows = shown.map(({ id, stage, title, detail, since }) =>
    [`  ${stage.padEnd(11)}`, id, title, detail, `(${durationText(at - since)})`]
      .filter((word) => word !== '')
      .join(' '),
  )
  const more = view.active.length - shown.length
  return [head, ...rows, ...(more > 0 ? [`  … and ${more} more`] : [])].map((line) => clip(line, size.columns - 1))
}
