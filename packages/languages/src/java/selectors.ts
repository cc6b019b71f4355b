import { baseName } from '../path.ts'

export interface JvmTest {
  /** Folder of the module, `.` at the root. */
  readonly module: string
  readonly classname: string | undefined
  readonly method: string | undefined
}

/** `module::pkg.Class$Inner::method[1]`, or less of it. */
export function idParts(id: string): JvmTest {
  const [module = '.', classname, ...method] = id.replace(/ #\d+$/, '').split('::')
  return { module, classname, method: method.length === 0 ? undefined : method.join('::') }
}

/** How a method is asked for, all its invocations; undefined where its title cannot be typed: the class is run then. */
export function methodPattern(method: string | undefined): string | undefined {
  const match = /^([\w$]+)(\[.*\])?$/s.exec(method ?? '')
  if (!match) return undefined
  return match[2] === undefined ? match[1] : `${match[1]}*`
}

const longestFilter = 20_000

/**
 * The classes of test files by their path; undefined where one may hold a class of another name, as a Kotlin file may, or
 * where the list grows too long for a command line.
 */
export function classNames(paths: readonly string[]): readonly string[] | undefined {
  const names = paths.map(className)
  const known = names.filter((name) => name !== undefined)
  return known.length < names.length || known.join(',').length > longestFilter ? undefined : [...new Set(known)]
}

function className(path: string): string | undefined {
  if (!path.endsWith('.java')) return undefined
  const below = /(?:^|\/)src\/[^/]+\/java\/(.+)\.java$/.exec(path)?.[1]
  return below?.replaceAll('/', '.') ?? baseName(path).slice(0, -'.java'.length)
}
