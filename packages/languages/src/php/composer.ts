/** What a composer.json says, as far as recipes read it. */
export interface Composer {
  /** Names and constraints of `require` and `require-dev`. */
  readonly requires: Readonly<Record<string, string>>
  /** `config.platform.php`, else the constraint of `php`. */
  readonly php: string | undefined
  /** Names after `ext-`. */
  readonly extensions: readonly string[]
}

type Json = Readonly<Record<string, unknown>>

export function parseComposer(text: string): Composer {
  const json = parseObject(text)
  const requires = { ...strings(json.require), ...strings(json['require-dev']) }
  const platform = strings(asObject(asObject(json.config).platform))
  const extensions = Object.keys(requires).flatMap((name) => (name.startsWith('ext-') ? [name.slice(4)] : []))
  return { requires, php: platform.php ?? requires.php, extensions }
}

function parseObject(text: string): Json {
  try {
    return asObject(JSON.parse(text))
  } catch {
    return {}
  }
}

function asObject(value: unknown): Json {
  return typeof value === 'object' && value !== null ? (value as Json) : {}
}

function strings(value: unknown): Record<string, string> {
  return Object.fromEntries(
    Object.entries(asObject(value)).filter((entry): entry is [string, string] => typeof entry[1] === 'string'),
  )
}

/** Series that have an image. */
const series = ['7.4', '8.0', '8.1', '8.2', '8.3', '8.4']
/** The newest that is tried without being asked for. */
const usual = '8.4'

/** The series that the project names (`.php-version`), else the newest that its constraint allows. */
export function phpVersion(constraint: string | undefined, named: string | undefined): string {
  const own = /^(?:php\s+)?(\d+\.\d+)/m.exec(named ?? '')?.[1]
  if (own !== undefined) return series.findLast((name) => numberOf(name) <= numberOf(own)) ?? series[0]!
  if (constraint === undefined) return usual
  const alternatives = constraint.split(/\s*\|\|?\s*/).map(bounds)
  return series.findLast((name) => alternatives.some((all) => all.every((fits) => fits(numberOf(name))))) ?? usual
}

type Fits = (version: number) => boolean

function bounds(alternative: string): Fits[] {
  return [...alternative.matchAll(/(\^|~|>=|<=|>|<|=|!=)? *v?(\d+)(?:\.(\d+|\*))?(?:\.(\d+|\*))?/g)].map(
    (match): Fits => {
      const [, sign = '=', major = '0', minor, patch] = match
      const at = Number(major) * 100 + (minor === undefined || minor === '*' ? 0 : Number(minor))
      const sameMajor = (version: number) => Math.floor(version / 100) === Number(major)
      if (sign === '>=' || sign === '>') return (version) => version >= at
      if (sign === '<') return (version) => (patch === undefined ? version < at : version <= at)
      if (sign === '<=') return (version) => version <= at
      if (sign === '!=') return () => true
      if (sign === '^' || (sign === '~' && patch === undefined)) return (version) => version >= at && sameMajor(version)
      if (minor === undefined || minor === '*') return sameMajor
      return (version) => version === at
    },
  )
}

function numberOf(version: string): number {
  const [major = '0', minor = '0'] = version.split('.')
  return Number(major) * 100 + Number(minor)
}
