import type { Facts } from './facts.ts'

/** Minor versions of Python 3 with official images, newest last; the default is the newest that most releases support. */
const offered = [8, 9, 10, 11, 12, 13, 14]
const usual = 13

/**
 * `X.Y` for the base image: a version file, else the newest usual version that the `requires-python` of every project
 * allows and no newer than the classifiers reach (a project that ends at 3.9 breaks on a later one more often than not).
 * Where none is allowed, the classifiers alone decide.
 */
export function pythonVersion(projects: readonly Facts[], versionFile: string | undefined): string {
  const pinned = /^(?:cpython-|python-)?3\.(\d+)/.exec((versionFile ?? '').trim())?.[1]
  if (pinned !== undefined && offered.includes(Number(pinned))) return `3.${pinned}`
  const allowed = offered.filter((minor) => projects.every(({ python = '' }) => allows(python, minor)))
  const choice = allowed.length > 0 ? allowed : offered
  const limit = Math.min(usual, ...projects.map(newestClassified))
  const minor = choice.findLast((candidate) => candidate <= limit) ?? choice[0]!
  return `3.${minor}`
}

function newestClassified({ classifiers = [] }: Facts): number {
  return classifiers.length > 0 ? Math.max(...classifiers.map((version) => Number(version.slice(2)))) : usual
}

function allows(python: string, minor: number): boolean {
  return python.split('||').some((specifier) => satisfies(specifier, minor))
}

/** Whether some 3.minor.* satisfies every clause that is about a minor version. */
function satisfies(specifier: string, minor: number): boolean {
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
