/** The numbers of a finished release: `3.12`, `v20`, `1.22.x`; undefined for a pre-release, another implementation, a line. */
export function releaseNumbers(version: string): readonly number[] | undefined {
  const match = /^(?:v|\^|~|go)?(\d{1,4}(?:\.\d{1,4}){0,3})(?:\.[x*])?$/.exec(version.trim())
  return match?.[1]?.split('.').map(Number)
}

/** What a name of the newest release stands for: newer than any number. */
const newest = /^(?:stable|latest|current|lts|lts\/\*)$/

/** A release, or a name of the newest. */
export function isReleased(version: string): boolean {
  return newest.test(version) || releaseNumbers(version) !== undefined
}

/** Below 0 where `a` is older. What is not a release is older than all that are. */
export function compareVersions(a: string, b: string): number {
  const [left, right] = [a, b].map((version) => releaseNumbers(version) ?? [newest.test(version) ? 9999 : -1])
  const longest = Math.max(left!.length, right!.length)
  for (let index = 0; index < longest; index++) {
    const order = (left![index] ?? 0) - (right![index] ?? 0)
    if (order !== 0) return order
  }
  return 0
}

/** The newest that is a release, else the first. */
export function newestVersion(versions: readonly string[]): string | undefined {
  const [first, ...rest] = versions.filter(isReleased)
  if (first === undefined) return versions[0]
  return rest.reduce((best, version) => (compareVersions(best, version) >= 0 ? best : version), first)
}
