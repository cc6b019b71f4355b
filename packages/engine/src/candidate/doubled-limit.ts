/** The first of `from`, twice, four times … that is at least `least`: small differences in time give equal bytes. */
export function doubledLimit(from: number, least: number): number {
  let limit = from
  while (limit < least) limit *= 2
  return limit
}
