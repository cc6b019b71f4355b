/** Ids that one report repeats get ` #2`, ` #3` in its order. */
export function numberEqual(): (id: string) => string {
  const seen = new Map<string, number>()
  return (id) => {
    const count = (seen.get(id) ?? 0) + 1
    seen.set(id, count)
    return count === 1 ? id : `${id} #${count}`
  }
}
