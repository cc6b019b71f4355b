import type { Facts } from './facts.ts'

/** Minor versions of Python 3 with official images, newest last; the default is the newest that most releases support. */
const offered = [8, 9, 10, 11, 12, 13, 14]
const usual = 13

/**
 * `X.Y` for the base image: a version file, else the newest usual version that `requires-python` allows and no newer
 * than the classifiers reach (a project that ends at 3.9 breaks on a later one more often than not).
 */
export function pythonVersion(facts: Facts, versionFile: string | undefined): string {
  const pinned = /^(?:cpython-|python-)?3\.(\d+)/.exec((versionFile ?? '').trim())?.[1]
  if (pinned !== undefined && offered.includes(Number(pinned))) return `3.${pinned}`
  const allowed = offered.filter((minor) => allows(facts.python ?? '', minor))
  const classified = (facts.classifiers ?? []).map((version) => Number(version.slice(2)))
  const limit = classified.length > 0 ? Math.min(usual, Math.max(...classified)) : usual
  const minor = allowed.findLast((candidate) => candidate <= limit) ?? allowed[0] ?? usual
  return `3.${minor}`
}

/** Whether some 3.minor.* satisfies every clause that is about a minor version. */
export function allows(specifier: string, minor: number): boolean {
  return specifier.split(',').every((clause) => {
    const match = /^\s*(===|==|~=|!=|<=|>=|<|>)\s*(\d+)(?:\.(\d+))?(\.\d+|\.\*)*\s*$/.exec(clause)
    if (!match) return true
    const [, operator, major, written, rest] = match
    const order = (Number(major) - 3) * 1000 + Number(written ?? 0) - minor
    const patch = rest !== undefined && rest !== '.*'
    if (operator === '>=') return order <= 0
    if (operator === '>') return patch ? order <= 0 : order < 0
    if (operator === '<') return patch && rest !== '.0' ? order >= 0 : order > 0
    if (operator === '<=') return order >= 0
    if (operator === '!=') return patch || order !== 0
    if (operator === '~=') return Number(major) === 3 && (patch ? order === 0 : order <= 0)
    return Number(major) === 3 && (written === undefined || order === 0)
  })
}
