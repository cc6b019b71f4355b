const MOST = 3

/** Names that a reader may have meant: equal but for case, ending in the same part, or few letters away. */
export function nearNames(wanted: string, names: readonly string[]): string[] {
  const target = wanted.toLowerCase()
  const allowed = Math.max(1, Math.floor(target.length / 3))
  return names
    .map((name) => ({ name, distance: distanceTo(target, name.toLowerCase(), allowed) }))
    .filter(({ distance }) => distance <= allowed)
    .sort((a, b) => a.distance - b.distance)
    .slice(0, MOST)
    .map(({ name }) => name)
}

function distanceTo(target: string, name: string, allowed: number): number {
  if (name.endsWith(`/${target}`) || target.endsWith(`/${name}`)) return 0
  return Math.abs(target.length - name.length) > allowed ? Infinity : editDistance(target, name)
}

function editDistance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, index) => index)
  for (let i = 1; i <= a.length; i++) {
    const next = [i]
    for (let j = 1; j <= b.length; j++)
      next.push(Math.min(row[j]! + 1, next[j - 1]! + 1, row[j - 1]! + (a[i - 1] === b[j - 1] ? 0 : 1)))
    row = next
  }
  return row[b.length]!
}
