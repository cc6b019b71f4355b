import { imageVersion, serviceName } from './image-version.ts'
import type { CiJob, ToolVersion } from './job.ts'
import { type ParseYaml, referenceKey } from './parse-yaml.ts'
import { isResolved, unresolved } from './unresolved.ts'
import { compareVersions } from './version-order.ts'
import { isMap, listOf, mapOf, textEntries, textOf, textsOf, type YamlMap, type YamlValue } from './yaml-value.ts'

/** Keys of the top that are no jobs. */
const reserved = new Set([
  'after_script',
  'before_script',
  'cache',
  'default',
  'image',
  'include',
  'pages',
  'services',
  'spec',
  'stages',
  'variables',
  'workflow',
])
const mostJobs = 100
const mostRows = 256
const mostBases = 10
const longestValue = 1000
const mostLines = 1000
const deepestScript = 10
const inherited = ['image', 'services', 'before_script'] as const

/** The jobs of a GitLab file that run in a Linux image, each with one row of its matrix. */
export function readGitlab(file: string, text: string, parse: ParseYaml): readonly CiJob[] {
  const root = mapOf(parse(text))
  const extend = extender(root)
  return Object.keys(root)
    .filter((name) => !name.startsWith('.') && !reserved.has(name) && isMap(root[name]))
    .slice(0, mostJobs)
    .flatMap((name) => readJob({ file, name, root, job: extend(name) }) ?? [])
}

interface JobInput {
  readonly file: string
  readonly name: string
  readonly root: YamlMap
  /** With what it extends. */
  readonly job: YamlMap
}

function readJob({ file, name, root, job }: JobInput): CiJob | undefined {
  if (textsOf(job.tags).some((tag) => /windows|macos|osx|arm|saas-.*-mac/i.test(tag))) return undefined
  const defaults = { ...pick(root), ...pick(mapOf(root.default)) }
  const own = { ...defaults, ...job }
  const script = [...commandsOf(own.before_script, root), ...commandsOf(own.script, root)]
  if (script.length === 0) return undefined
  const variables = { ...textEntries(root.variables), ...textEntries(job.variables) }
  const views = matrixRows(mapOf(job.parallel).matrix).map((row) => rowView(own, { ...variables, ...row }))
  const chosen = views.reduce((best, next) =>
    compareVersions(next.version?.version ?? '', best.version?.version ?? '') > 0 ? next : best,
  )
  return {
    file,
    name,
    isRegular: !listOf(job.only).includes('tags') && textOf(job.when) !== 'manual',
    image: chosen.image,
    versions: chosen.version ? [testedVersion(chosen.version, views)] : [],
    services: listOf(own.services).flatMap((service) => {
      const image = isMap(service) ? textOf(service.name) : textOf(service)
      const named = image === undefined ? '' : serviceName(substitute(image, chosen.env))
      return named !== '' && isResolved(named) ? [named] : []
    }),
    packages: [],
    // One shell runs all lines.
    steps: [{ script: script.join('\n'), env: chosen.env, ownEnv: plainNames(job.variables), folder: '' }],
  }
}

/** The variables whose values stand in the file. */
function plainNames(variables: YamlValue | undefined): string[] {
  return Object.entries(textEntries(variables)).flatMap(([name, value]) => (value.includes('$') ? [] : [name]))
}

interface RowView {
  readonly env: Readonly<Record<string, string>>
  readonly image: string | undefined
  readonly version: Omit<ToolVersion, 'tested'> | undefined
}

function rowView(job: YamlMap, variables: Readonly<Record<string, string>>): RowView {
  const env = Object.fromEntries(Object.entries(variables).map(([key, value]) => [key, substitute(value, variables)]))
  const written = isMap(job.image) ? textOf(job.image.name) : textOf(job.image)
  const image = written === undefined ? undefined : substitute(written, env)
  return { env, image, version: image === undefined ? undefined : imageVersion(image) }
}

function testedVersion(version: Omit<ToolVersion, 'tested'>, views: readonly RowView[]): ToolVersion {
  return { ...version, tested: [...new Set(views.flatMap((view) => view.version?.version ?? []))] }
}

function substitute(text: string, variables: Readonly<Record<string, string>>): string {
  return text.replace(/\$\$|\$\{(\w+)\}|\$(\w+)/g, (whole, braced: string | undefined, plain: string | undefined) => {
    const name = braced ?? plain
    if (name === undefined) return whole
    const value = Object.hasOwn(variables, name) ? variables[name]! : unresolved
    return value.length > longestValue ? unresolved : value
  })
}

function pick(map: YamlMap): YamlMap {
  const entries = inherited.flatMap((key) => (map[key] === undefined ? [] : [[key, map[key]] as const]))
  return Object.fromEntries(entries)
}

/** Jobs over what they extend; maps are merged, all else is replaced. Each is made once, however many extend it. */
function extender(root: YamlMap): (name: string) => YamlMap {
  const made = new Map<string, YamlMap>()
  return function extend(name: string): YamlMap {
    const known = made.get(name)
    if (known !== undefined) return known
    const job = mapOf(root[name])
    made.set(name, job) // for jobs that extend each other in a circle
    const whole = [...textsOf(job.extends).slice(0, mostBases).map(extend), job].reduce(merge)
    made.set(name, whole)
    return whole
  }
}

function merge(base: YamlMap, over: YamlMap): YamlMap {
  const merged: Record<string, YamlValue> = Object.assign(Object.create(null), base)
  for (const [key, value] of Object.entries(over)) {
    const before = merged[key]
    merged[key] = isMap(before) && isMap(value) && !Object.hasOwn(value, referenceKey) ? merge(before, value) : value
  }
  return merged
}

/** The lines of a script; lists in lists and parts of other jobs are put in their place. */
function commandsOf(value: YamlValue | undefined, root: YamlMap): string[] {
  const lines: string[] = []
  let left = mostLines
  const add = (part: YamlValue | undefined, depth: number): void => {
    for (const entry of listOf(part)) {
      if (--left < 0 || depth > deepestScript) return
      if (typeof entry === 'string') lines.push(entry)
      else if (Array.isArray(entry)) add(entry, depth + 1)
      else {
        const path = textsOf(mapOf(entry)[referenceKey])
        if (path.length > 0)
          add(
            path.reduce<YamlValue | undefined>((at, key) => mapOf(at)[key], root),
            depth + 1,
          )
      }
    }
  }
  add(value, 0)
  return lines
}

/** `parallel: matrix`: each entry is a product of its own. */
function matrixRows(matrix: YamlValue | undefined): Record<string, string>[] {
  const rows = listOf(matrix).filter(isMap).flatMap(product).slice(0, mostRows)
  return rows.length > 0 ? rows : [{}]
}

function product(axes: YamlMap): Record<string, string>[] {
  let rows: Record<string, string>[] = [{}]
  for (const [key, values] of Object.entries(axes)) {
    const longer: Record<string, string>[] = []
    for (const row of rows)
      for (const value of textsOf(values)) if (longer.length < mostRows) longer.push({ ...row, [key]: value })
    rows = longer
  }
  return rows
}
