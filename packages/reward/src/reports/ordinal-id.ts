/** Equal ids of one report are told apart by their order: the second is `id #2` (parsers.md §1). */
export function ordinalId(seen: Map<string, number>, id: string): string {
  const count = (seen.get(id) ?? 0) + 1
  seen.set(id, count)
  return count === 1 ? id : `${id} #${count}`
}
