/** Series that have an image; the first is taken for what is older. */
const series = ['2.7', '3.0', '3.1', '3.2', '3.3', '3.4']
/** Where nothing is said: new enough for today's gems, old enough for yesterday's code. */
const usual = '3.3'

interface VersionTexts {
  /** `.ruby-version`. */
  readonly file?: string | undefined
  readonly toolVersions?: string | undefined
  readonly gemfile?: string | undefined
  readonly lock?: string | undefined
  readonly gemspec?: string | undefined
}

/** The series (`3.2`) that the project names, else the newest up to the usual one that its gemspec allows. */
export function rubyVersion({ file, toolVersions, gemfile, lock, gemspec }: VersionTexts): string {
  const named =
    /^(?:ruby-)?(\d+\.\d+)/m.exec(file ?? '')?.[1] ??
    /^ruby\s+(\d+\.\d+)/m.exec(toolVersions ?? '')?.[1] ??
    /^[ \t]*ruby[ \t]*\(?[ \t]*["'](?:~> *)?(\d+\.\d+)/m.exec(gemfile ?? '')?.[1] ??
    /^RUBY VERSION\n\s+ruby (\d+\.\d+)/m.exec(lock ?? '')?.[1]
  if (named !== undefined) return nearest(named)
  const wanted = /required_ruby_version\s*=?\s*(.*)$/m.exec(gemspec ?? '')?.[1] ?? ''
  const bounds = [...wanted.matchAll(/(>=|<=|~>|<|=)? *(\d+)\.?(\d*)/g)].map((match) => ({
    sign: match[1] ?? '=',
    at: Number(match[2]) * 100 + Number(match[3] || 0),
    open: match[3] === '',
  }))
  const allowed = series.filter((name) => bounds.every((bound) => fits(numberOf(name), bound)))
  return allowed.findLast((name) => numberOf(name) <= numberOf(usual)) ?? allowed[0] ?? usual
}

interface Bound {
  readonly sign: string
  readonly at: number
  readonly open: boolean
}

function fits(version: number, { sign, at, open }: Bound): boolean {
  if (sign === '>=') return version >= at
  if (sign === '<') return version < at
  if (sign === '<=') return version <= at
  if (sign === '~>') return version >= at && Math.floor(version / 100) === Math.floor(at / 100)
  return open ? Math.floor(version / 100) === Math.floor(at / 100) : version === at
}

function nearest(version: string): string {
  const wanted = numberOf(version)
  return series.findLast((name) => numberOf(name) <= wanted) ?? series[0]!
}

function numberOf(version: string): number {
  const [major = '0', minor = '0'] = version.split('.')
  return Number(major) * 100 + Number(minor)
}
