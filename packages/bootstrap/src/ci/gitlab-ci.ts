import { type Budget, spend } from './budget.ts'
import { chooseRows, type NamedVersion, type Row, testedVersions } from './choose-rows.ts'
import type { CiJob } from './job.ts'
import { imageVersion, serviceName } from './tool-versions.ts'
import { isResolved, unresolved } from './unresolved.ts'
import {
  isMap,
  listOf,
  mapOf,
  type ParseYaml,
  referenceKey,
  textEntries,
  textOf,
  textsOf,
  type YamlMap,
  type YamlValue,
} from './yaml.ts'

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
const mostServices = 20
const mostRows = 256
const mostBases = 10
const longestValue = 1000
const mostLines = 1000
const deepestScript = 10
/** GitLab's own limit. */
const deepestBases = 11
const inherited = ['image', 'services', 'before_script'] as const

export interface GitlabSource {
  readonly file: string
  readonly text: string
  readonly parse: ParseYaml
  readonly budget: Budget
}

/** The jobs of a GitLab file that run in a Linux image, each with one row of its matrix for a language. */
export function readGitlab({ file, text, parse, budget }: GitlabSource): readonly CiJob[] {
  const root = mapOf(parse(text))
  const extend = extender(root, budget)
  return Object.keys(root)
    .filter((name) => !name.startsWith('.') && !reserved.has(name) && isMap(root[name]))
    .slice(0, mostJobs)
    .flatMap((name) => readJob({ file, name, root, job: extend(name), budget }))
}

interface JobInput {
  readonly file: string
  readonly name: string
  readonly root: YamlMap
  /** With what it extends. */
  readonly job: YamlMap
  readonly budget: Budget
}

function readJob({ file, name, root, job, budget }: JobInput): CiJob[] {
  if (textsOf(job.tags).some((tag) => /windows|macos|osx|arm|saas-.*-mac/i.test(tag))) return []
  const defaults = { ...pick(root), ...pick(mapOf(root.default)) }
  const own = { ...defaults, ...job }
  const script = [...commandsOf(own.before_script, root, budget), ...commandsOf(own.script, root, budget)]
  if (script.length === 0) return []
  const variables = { ...textEntries(root.variables), ...textEntries(job.variables) }
  const rows = matrixRows(mapOf(job.parallel).matrix, budget).map((row) => rowOf(own, { ...variables, ...row }, budget))
  return chooseRows(rows).map(({ row, rowFor }) => ({
    file,
    name,
    isRegular: !listOf(job.only).includes('tags') && textOf(job.when) !== 'manual',
    rowFor,
    versions: testedVersions(row, rows),
    services: listOf(own.services)
      .slice(0, mostServices)
      .flatMap((service) => {
        const image = isMap(service) ? textOf(service.name) : textOf(service)
        const named = image === undefined ? '' : serviceName(substitute(image, row.env, budget))
        return named !== '' && isResolved(named) ? [named] : []
      }),
    packages: [],
    // One shell runs all lines. A job has its variables by `variables:`, which is no expression.
    steps: [
      { script: script.join('\n'), isLiteral: true, env: row.env, ownEnv: literals(variables, row.env), folder: '' },
    ],
  }))
}

/** The variables whose values stand in the file and are not those of the matrix. */
function literals(
  variables: Readonly<Record<string, string>>,
  env: Readonly<Record<string, string>>,
): Record<string, string> {
  const entries = Object.entries(variables)
  return Object.fromEntries(entries.filter(([name, value]) => !value.includes('$') && env[name] === value))
}

interface GitlabRow extends Row {
  readonly env: Readonly<Record<string, string>>
}

function rowOf(job: YamlMap, variables: Readonly<Record<string, string>>, budget: Budget): GitlabRow {
  const env = Object.fromEntries(
    Object.entries(variables).map(([key, value]) => [key, substitute(value, variables, budget)]),
  )
  const written = isMap(job.image) ? textOf(job.image.name) : textOf(job.image)
  const version: NamedVersion | undefined =
    written === undefined ? undefined : imageVersion(substitute(written, env, budget))
  return { env, versions: version === undefined ? [] : [version], rank: 0, extras: 0 }
}

/** Values that are made of values grow by doubling. */
function substitute(text: string, variables: Readonly<Record<string, string>>, budget: Budget): string {
  let made = ''
  let at = 0
  spend(budget, { bytes: text.length + 16 })
  if (text.length > longestValue) return unresolved
  for (const { 0: whole, 1: braced, 2: plain, index } of text.matchAll(/\$\$|\$\{(\w+)\}|\$(\w+)/g)) {
    const name = braced ?? plain
    const value = name === undefined ? whole : Object.hasOwn(variables, name) ? variables[name]! : unresolved
    made += text.slice(at, index) + value
    at = index + whole.length
    if (made.length > longestValue) return unresolved
  }
  spend(budget, { bytes: made.length })
  return made + text.slice(at)
}

function pick(map: YamlMap): YamlMap {
  const entries = inherited.flatMap((key) => (map[key] === undefined ? [] : [[key, map[key]] as const]))
  return Object.fromEntries(entries)
}

/** Jobs over what they extend; maps are merged, all else is replaced. Each is made once, however many extend it. */
function extender(root: YamlMap, budget: Budget): (name: string) => YamlMap {
  const made = new Map<string, YamlMap>()

  function extend(name: string, depth: number): YamlMap {
    const known = made.get(name)
    if (known !== undefined) return known
    const job = mapOf(root[name])
    if (depth > deepestBases) return job
    made.set(name, job) // for jobs that extend each other in a circle
    const bases = textsOf(job.extends)
      .slice(0, mostBases)
      .map((base) => extend(base, depth + 1))
    const whole = [...bases, job].reduce((base, over) => merge(base, over, budget))
    made.set(name, whole)
    return whole
  }

  return (name) => extend(name, 0)
}

function merge(base: YamlMap, over: YamlMap, budget: Budget): YamlMap {
  const merged: Record<string, YamlValue> = Object.assign(Object.create(null), base)
  spend(budget, { bytes: 16 * (Object.keys(base).length + Object.keys(over).length) })
  for (const [key, value] of Object.entries(over)) {
    const before = merged[key]
    const isPart = isMap(before) && isMap(value) && !Object.hasOwn(value, referenceKey)
    merged[key] = isPart ? merge(before, value, budget) : value
  }
  return merged
}

/** The lines of a script; lists in lists and parts of other jobs are put in their place. */
function commandsOf(value: YamlValue | undefined, root: YamlMap, budget: Budget): string[] {
  const lines: string[] = []
  let left = mostLines
  const add = (part: YamlValue | undefined, depth: number): void => {
    for (const entry of listOf(part)) {
      if (--left < 0 || depth > deepestScript) return
      if (typeof entry === 'string') {
        spend(budget, { bytes: entry.length + 16 })
        lines.push(entry)
      } else if (Array.isArray(entry)) add(entry, depth + 1)
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
function matrixRows(matrix: YamlValue | undefined, budget: Budget): Record<string, string>[] {
  const rows = listOf(matrix)
    .filter(isMap)
    .slice(0, mostRows)
    .flatMap((axes) => product(axes, budget))
    .slice(0, mostRows)
  return rows.length > 0 ? rows : [{}]
}

function product(axes: YamlMap, budget: Budget): Record<string, string>[] {
  let rows: Record<string, string>[] = [{}]
  for (const [index, [key, values]] of Object.entries(axes).entries()) {
    const longer: Record<string, string>[] = []
    for (const row of rows)
      for (const value of textsOf(values).slice(0, mostRows - longer.length)) longer.push({ ...row, [key]: value })
    spend(budget, { bytes: 16 * longer.length * (index + 1) })
    rows = longer
  }
  return rows
}
