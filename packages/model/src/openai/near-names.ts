const MOST = 3

/** Names that share at least half of their letter pairs with the wanted one, the nearest first. */
export function nearNames(wanted: string, names: readonly string[]): string[] {
  return names
    .map((name) => ({ name, rank: likeness(pairs(wanted), pairs(name)) }))
    .filter(({ rank }) => rank >= 0.5)
    .sort((a, b) => b.rank - a.rank)
    .slice(0, MOST)
    .map(({ name }) => name)
}

function pairs(word: string): ReadonlySet<string> {
  const text = ` ${word.toLowerCase()} `
  return new Set(Array.from({ length: text.length - 1 }, (_, index) => text.slice(index, index + 2)))
}

function likeness(a: ReadonlySet<string>, b: ReadonlySet<string>): number {
  const shared = [...a].filter((pair) => b.has(pair)).length
  return (2 * shared) / (a.size + b.size)
}
