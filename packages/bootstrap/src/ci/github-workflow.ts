import { type ExpressionContext, evaluateCondition } from './expression.ts'
import { imageVersion, serviceName } from './image-version.ts'
import type { CiJob, ToolVersion } from './job.ts'
import { type MatrixRow, matrixRows } from './matrix.ts'
import { resolveTemplate, resolveValue } from './resolve-template.ts'
import { isResolved } from './unresolved.ts'
import { compareVersions, isReleased } from './version-order.ts'
import { mostSteps, readSteps, resolvedEntries, setUpVersions, type WorkflowSource, withEnv } from './workflow-steps.ts'
import { isMap, listOf, mapOf, textEntries, textOf, textsOf, type YamlMap, type YamlValue } from './yaml-value.ts'

const mostJobs = 100

/** The jobs of a GitHub workflow that run on Linux and on this repository, each with one row of its matrix. */
export function readWorkflow(source: WorkflowSource): readonly CiJob[] {
  const workflow = mapOf(source.parse(source.text))
  return Object.entries(mapOf(workflow.jobs))
    .slice(0, mostJobs)
    .flatMap(([name, job]) => readJob({ source, workflow, name, job: mapOf(job) }) ?? [])
}

interface JobInput {
  readonly source: WorkflowSource
  readonly workflow: YamlMap
  readonly name: string
  readonly job: YamlMap
}

function readJob({ source, workflow, name, job }: JobInput): CiJob | undefined {
  const steps = listOf(job.steps).filter(isMap).slice(0, mostSteps)
  if (steps.length === 0 || isElsewhere(steps)) return undefined
  const base: ExpressionContext = { github, runner }
  const rows = matrixRows(mapOf(job.strategy).matrix, base)
  const views = rows.map((row) => rowView(row, { source, job, steps }))
  const [chosen] = views.filter(({ rank }) => rank !== undefined).sort(byPromise)
  if (chosen === undefined) return undefined
  const context = [workflow.env, job.env].reduce(withEnvOf, chosen.context)
  if (textOf(job.if) !== undefined && evaluateCondition(textOf(job.if)!, context) === false) return undefined
  const defaults = { ...mapOf(mapOf(workflow.defaults).run), ...mapOf(mapOf(job.defaults).run) }
  const image = chosen.image
  const run = readSteps(steps, { context, defaults, source, depth: 0, count: { steps: 0 } })
  return {
    file: source.file,
    name,
    isRegular: isRegular(workflow.on),
    image,
    versions: testedVersions(chosen, views),
    services: readServices(job.services, context),
    packages: run.packages,
    steps: run.steps,
  }
}

/** Variables may be written in full or as one expression that is a map. */
function withEnvOf(context: ExpressionContext, env: YamlValue | undefined): ExpressionContext {
  const map = typeof env === 'string' ? resolveValue(env, context) : env
  return withEnv(context, resolvedEntries(textEntries(isMap(map as YamlValue) ? (map as YamlMap) : null), context))
}

const runner: YamlMap = { os: 'Linux', arch: 'X64' }
const github: YamlMap = Object.assign(Object.create(null), { event_name: 'push', workspace: '.' })

/** Whether the steps work in a checkout of another repository. */
function isElsewhere(steps: readonly YamlMap[]): boolean {
  const checkout = steps.find(({ uses }) => textOf(uses)?.startsWith('actions/checkout@'))
  const repository = textOf(mapOf(checkout?.with).repository) ?? '${{'
  return !repository.includes('${{')
}

function isRegular(on: YamlValue | undefined): boolean {
  const events = isMap(on) ? on : Object.fromEntries(textsOf(on).map((event) => [event, null]))
  const push = mapOf(events.push)
  const isTagged = Object.hasOwn(push, 'tags') && !Object.hasOwn(push, 'branches')
  return (
    (Object.hasOwn(events, 'push') && !isTagged) ||
    ['pull_request', 'pull_request_target', 'merge_group'].some((event) => Object.hasOwn(events, event))
  )
}

interface RowView {
  readonly context: ExpressionContext
  readonly extras: number
  readonly image: string | undefined
  readonly versions: readonly Omit<ToolVersion, 'tested'>[]
  /** Place among the systems, the preferred first; undefined where it is not Linux. */
  readonly rank: number | undefined
}

interface RowInput extends Pick<JobInput, 'source' | 'job'> {
  readonly steps: readonly YamlMap[]
}

function rowView(row: MatrixRow, { source, job, steps }: RowInput): RowView {
  const context: ExpressionContext = { github, runner, matrix: row.values }
  const container = isMap(job.container) ? textOf(job.container.image) : textOf(job.container)
  const image = container === undefined ? undefined : resolveTemplate(container, context) || undefined
  const inImage = image === undefined ? undefined : imageVersion(image)
  return {
    context,
    extras: row.extras,
    image,
    versions: [...setUpVersions(steps, context, source), inImage].filter((version) => version !== undefined),
    rank: systemRank(job['runs-on'], context),
  }
}

function systemRank(runsOn: YamlValue | undefined, context: ExpressionContext): number | undefined {
  const labels = isMap(runsOn) ? textsOf(runsOn.labels) : textsOf(runsOn)
  const all = labels
    .map((label) => resolveTemplate(label, context))
    .join(' ')
    .toLowerCase()
  if (/windows|macos|mac-|osx/.test(all)) return undefined
  if (/arm/.test(all)) return 1000
  if (/ubuntu-latest/.test(all)) return 0
  const release = /ubuntu-(\d\d)/.exec(all)?.[1]
  return release === undefined ? 200 : 100 - Number(release)
}

function byPromise(a: RowView, b: RowView): number {
  return (
    a.rank! - b.rank! ||
    Number(isRelease(b)) - Number(isRelease(a)) ||
    (isRelease(a) && isRelease(b) ? compareVersions(b.versions[0]!.version, a.versions[0]!.version) : 0) ||
    a.extras - b.extras
  )
}

function isRelease({ versions: [first] }: RowView): boolean {
  return first !== undefined && isReleased(first.version)
}

function testedVersions(chosen: RowView, views: readonly RowView[]): ToolVersion[] {
  const firsts = chosen.versions.filter(
    ({ language }, index) => chosen.versions.findIndex((other) => other.language === language) === index,
  )
  return firsts.map(({ language, version }) => {
    const all = views.flatMap((view) => view.versions.find((entry) => entry.language === language)?.version ?? [])
    return { language, version, tested: [...new Set(all)] }
  })
}

function readServices(services: YamlValue | undefined, context: ExpressionContext): string[] {
  return Object.entries(mapOf(services)).map(([name, service]) => {
    const image = isMap(service) ? textOf(service.image) : textOf(service)
    const named = image === undefined ? '' : serviceName(resolveTemplate(image, context))
    return named !== '' && isResolved(named) ? named : name
  })
}
