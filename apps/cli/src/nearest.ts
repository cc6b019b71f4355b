/** The known word closest to `word`, if it is close enough to be meant. */
export function nearest(word: string, known: Iterable<string>): string | undefined {
  const wanted = fold(word)
  let best: string | undefined
  let least = Math.max(1, Math.floor(wanted.length / 3)) + 1
  for (const candidate of known) {
    const distance = editDistance(wanted, fold(candidate), least)
    if (distance < least) [best, least] = [candidate, distance]
  }
  return best
}

function fold(word: string): string {
  return word.slice(0, 80).toLowerCase().replaceAll('-', '_')
}

/** Insertions, deletions, replacements and swaps of neighbours; `limit` or more is answered as `limit`. */
function editDistance(a: string, b: string, limit: number): number {
  if (Math.abs(a.length - b.length) >= limit) return limit
  let before: number[] = []
  let previous = Array.from({ length: b.length + 1 }, (_, index) => index)
  for (let i = 1; i <= a.length; i++) {
    const row = [i]
    for (let j = 1; j <= b.length; j++) {
      const same = a[i - 1] === b[j - 1]
      let cost = Math.min(previous[j]! + 1, row[j - 1]! + 1, previous[j - 1]! + (same ? 0 : 1))
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]) cost = Math.min(cost, before[j - 2]! + 1)
      row.push(cost)
    }
    before = previous
    previous = row
  }
  return Math.min(previous[b.length]!, limit)
}
