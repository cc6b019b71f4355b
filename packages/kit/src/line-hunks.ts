/** A run of lines: those of the old text from `oldAt`, replaced by those of the new text from `newAt`. */
export interface LineChange {
  readonly oldAt: number
  readonly oldCount: number
  readonly newAt: number
  readonly newCount: number
}

/** Edits beyond which no shortest way is looked for: the rest is replaced as a whole. */
const MOST_EDITS = 1500

/** The shortest way from one list of lines to another (Myers), as changes in order. */
export function lineChanges(before: readonly string[], after: readonly string[]): readonly LineChange[] {
  let head = 0
  while (head < before.length && head < after.length && before[head] === after[head]) head++
  let tail = 0
  while (tail < Math.min(before.length, after.length) - head && before.at(-1 - tail) === after.at(-1 - tail)) tail++
  const [a, b] = [before.slice(head, before.length - tail), after.slice(head, after.length - tail)]
  if (a.length === 0 && b.length === 0) return []
  const kept = keptPairs(a, b)
  const changes: LineChange[] = []
  let [x, y] = [0, 0]
  for (const [nextX, nextY] of [...kept, [a.length, b.length] as const]) {
    if (nextX > x || nextY > y)
      changes.push({ oldAt: head + x, oldCount: nextX - x, newAt: head + y, newCount: nextY - y })
    x = nextX + 1
    y = nextY + 1
  }
  return changes
}

/** The lines that stay, as pairs of their places. */
function keptPairs(a: readonly string[], b: readonly string[]): readonly (readonly [number, number])[] {
  const trail: Map<number, number>[] = []
  let reach = new Map<number, number>([[1, 0]])
  for (let edits = 0; edits <= Math.min(a.length + b.length, MOST_EDITS); edits++) {
    trail.push(reach)
    const next = new Map<number, number>()
    for (let k = -edits; k <= edits; k += 2) {
      let x = stepsDown(reach, k, edits) ? reach.get(k + 1)! : reach.get(k - 1)! + 1
      while (x < a.length && x - k < b.length && a[x] === b[x - k]) x++
      next.set(k, x)
      if (x >= a.length && x - k >= b.length) return walkBack(trail, a.length, b.length)
    }
    reach = next
  }
  return []
}

function stepsDown(reach: ReadonlyMap<number, number>, k: number, edits: number): boolean {
  return k === -edits || (k !== edits && (reach.get(k - 1) ?? -1) < (reach.get(k + 1) ?? -1))
}

function walkBack(trail: readonly ReadonlyMap<number, number>[], endX: number, endY: number): [number, number][] {
  const kept: [number, number][] = []
  let [x, y] = [endX, endY]
  for (let edits = trail.length - 1; edits >= 0; edits--) {
    const reach = trail[edits]!
    const k = x - y
    const from = stepsDown(reach, k, edits) ? k + 1 : k - 1
    const fromX = edits === 0 ? 0 : reach.get(from)!
    const fromY = edits === 0 ? 0 : fromX - from
    while (x > fromX && y > fromY) kept.push([--x, --y])
    ;[x, y] = [fromX, fromY]
  }
  return kept.reverse()
}
