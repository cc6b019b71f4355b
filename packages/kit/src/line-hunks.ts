import { diffArrays } from 'diff'

/** A run of lines: those of the old text from `oldAt`, replaced by those of the new text from `newAt`. */
export interface LineChange {
  readonly oldAt: number
  readonly oldCount: number
  readonly newAt: number
  readonly newCount: number
}

/** Edits beyond which no shortest way is looked for: what is between the common ends is replaced as a whole. */
const MOST_EDITS = 1500

/** The shortest way from one list of lines to another, as changes in order. */
export function lineChanges(before: readonly string[], after: readonly string[]): readonly LineChange[] {
  let head = 0
  while (head < before.length && head < after.length && before[head] === after[head]) head++
  let tail = 0
  while (tail < Math.min(before.length, after.length) - head && before.at(-1 - tail) === after.at(-1 - tail)) tail++
  const [old, now] = [before.slice(head, before.length - tail), after.slice(head, after.length - tail)]
  const runs = diffArrays(old, now, { maxEditLength: MOST_EDITS })
  const changes: LineChange[] = []
  let [oldAt, newAt] = [head, head]
  let open = false
  for (const { added, removed, count } of runs ?? [
    { removed: true, added: false, count: old.length },
    { removed: false, added: true, count: now.length },
  ]) {
    if (!added && !removed) {
      oldAt += count
      newAt += count
      open = false
      continue
    }
    const last = open ? changes.pop()! : { oldAt, oldCount: 0, newAt, newCount: 0 }
    changes.push({
      ...last,
      oldCount: last.oldCount + (removed ? count : 0),
      newCount: last.newCount + (added ? count : 0),
    })
    if (removed) oldAt += count
    else newAt += count
    open = true
  }
  return changes
}
