import { spend } from './budget.ts'
import { chooseRows, type Row, testedVersions } from './choose-rows.ts'
import { type ExpressionContext, evaluateCondition, resolveTemplate } from './expression.ts'
import type { CiJob } from './job.ts'
import { type MatrixRow, matrixRows } from './matrix.ts'
import { imageVersion, serviceName } from './tool-versions.ts'
import { isResolved, joinFolder } from './unresolved.ts'
import {
  mostSteps,
  readSteps,
  resolvedInputs,
  type StepScope,
  setUpVersions,
  type WorkflowSource,
  withDefaults,
  withEnv,
} from './workflow-steps.ts'
import { isMap, listOf, mapOf, textOf, textsOf, type YamlMap, type YamlValue } from './yaml.ts'

const mostJobs = 100
const mostServices = 20
/** Workflows of the repository that call each other. */
const deepestCalls = 3
/** Of one file, each row of a calling job being one. */
const mostCalls = 64

/**
 * The jobs of a GitHub workflow that run on Linux and on this repository, each with one row of its matrix for a language,
 * those of workflows that it calls among them. One that others call, and no change starts, says nothing by itself.
 */
export function readWorkflow(source: WorkflowSource): readonly CiJob[] {
  const workflow = mapOf(source.parse(source.text))
  const events = eventsOf(workflow.on)
  const isForChanges = isRegular(events)
  if (Object.hasOwn(events, 'workflow_call') && !isForChanges) return []
  const start = { context: { github, runner }, isRegular: isForChanges, prefix: '', depth: 0, count: { calls: 0 } }
  return readJobs({ source, workflow, ...start })
}

/** A workflow as it is started, by an event or by another. */
interface Started {
  readonly source: WorkflowSource
  readonly workflow: YamlMap
  readonly context: ExpressionContext
  readonly isRegular: boolean
  /** Names of the jobs that called. */
  readonly prefix: string
  readonly depth: number
  readonly count: { calls: number }
}

interface JobInput extends Started {
  readonly name: string
  readonly job: YamlMap
}

/** What is not here is set by the run: the event may be any that starts the workflow. */
const github: YamlMap = Object.assign(Object.create(null), { workspace: '.' })
const runner: YamlMap = Object.assign(Object.create(null), { os: 'Linux', arch: 'X64' })

function readJobs(started: Started): CiJob[] {
  return Object.entries(mapOf(started.workflow.jobs))
    .slice(0, mostJobs)
    .flatMap(([name, job]) => {
      const input: JobInput = { ...started, name: `${started.prefix}${name}`, job: mapOf(job) }
      return textOf(input.job.uses) === undefined ? readJob(input) : callWorkflow(input)
    })
}

/** `uses: ./.github/workflows/x.yml`, once for each set of inputs that the rows of the matrix give. */
function callWorkflow({ name, job, ...started }: JobInput): CiJob[] {
  const { source, context, depth, count } = started
  const uses = textOf(job.uses) ?? ''
  const file = uses.startsWith('./') && depth < deepestCalls ? joinFolder('', uses) : undefined
  const text = file === undefined ? undefined : source.find(file)
  if (file === undefined || text === undefined) return []
  const workflow = mapOf(source.parse(text))
  const declared = mapOf(eventsOf(workflow.on).workflow_call).inputs
  const known = new Set<string>()
  return matrixRows(mapOf(job.strategy).matrix, context, source.budget).flatMap((row) => {
    const outer = { ...context, matrix: row.values }
    const inputs = withDefaults(resolvedInputs(job.with, outer, source.budget), declared)
    const key = JSON.stringify(inputs)
    if (isNever(job, outer, source) || known.has(key) || ++count.calls > mostCalls) return []
    known.add(key)
    const inner = { context: { github, runner, inputs }, prefix: `${name} / `, depth: depth + 1 }
    return readJobs({ ...started, ...inner, source: { ...source, file, text }, workflow })
  })
}

function isNever(job: YamlMap, context: ExpressionContext, { budget }: WorkflowSource): boolean {
  const condition = textOf(job.if)
  spend(budget, { bytes: condition?.length ?? 0 })
  return condition !== undefined && evaluateCondition(condition, context) === false
}

function readJob({ source, workflow, name, job, context, isRegular }: JobInput): CiJob[] {
  const steps = listOf(job.steps).filter(isMap).slice(0, mostSteps)
  if (steps.length === 0 || isElsewhere(steps)) return []
  const rows = matrixRows(mapOf(job.strategy).matrix, context, source.budget)
    .map((row) => rowOf(row, { source, job, steps, context }))
    .filter((row) => row !== undefined)
  const defaults = { ...mapOf(mapOf(workflow.defaults).run), ...mapOf(mapOf(job.defaults).run) }
  return chooseRows(rows).flatMap(({ row, rowFor }) => {
    const start: StepScope = { context: row.context, literals: {}, defaults, source, depth: 0, count: { steps: 0 } }
    const scope = [workflow.env ?? {}, job.env].reduce(withEnv, start)
    if (isNever(job, scope.context, source)) return []
    return {
      file: source.file,
      name,
      isRegular,
      rowFor,
      versions: testedVersions(row, rows),
      services: readServices(job.services, scope),
      ...readSteps(steps, scope),
    }
  })
}

/** Whether the steps work in a checkout of another repository. */
function isElsewhere(steps: readonly YamlMap[]): boolean {
  const checkout = steps.find(({ uses }) => textOf(uses)?.startsWith('actions/checkout@'))
  const repository = textOf(mapOf(checkout?.with).repository) ?? '${{'
  return !repository.includes('${{')
}

function eventsOf(on: YamlValue | undefined): YamlMap {
  return isMap(on) ? on : Object.fromEntries(textsOf(on).map((event) => [event, null]))
}

function isRegular(events: YamlMap): boolean {
  const push = mapOf(events.push)
  const isTagged = Object.hasOwn(push, 'tags') && !Object.hasOwn(push, 'branches')
  return (
    (Object.hasOwn(events, 'push') && !isTagged) ||
    ['pull_request', 'pull_request_target', 'merge_group'].some((event) => Object.hasOwn(events, event))
  )
}

interface WorkflowRow extends Row {
  readonly context: ExpressionContext
}

interface RowInput extends Pick<JobInput, 'source' | 'job' | 'context'> {
  readonly steps: readonly YamlMap[]
}

/** What looking through the steps for versions takes, in bytes of text. */
const costOfRow = 500

/** Undefined where it is not Linux. */
function rowOf({ values, extras }: MatrixRow, { source, job, steps, ...outer }: RowInput): WorkflowRow | undefined {
  const context: ExpressionContext = { ...outer.context, matrix: values }
  spend(source.budget, { bytes: costOfRow })
  const rank = systemRank(job['runs-on'], context, source)
  if (rank === undefined) return undefined
  const container = isMap(job.container) ? textOf(job.container.image) : textOf(job.container)
  const image = container === undefined ? undefined : imageVersion(resolveTemplate(container, context, source.budget))
  const versions = [...setUpVersions(steps, context, source), image].filter((version) => version !== undefined)
  return { context, extras, versions, rank }
}

/** Place among the systems, the preferred first. */
function systemRank(
  runsOn: YamlValue | undefined,
  context: ExpressionContext,
  { budget }: WorkflowSource,
): number | undefined {
  const labels = isMap(runsOn) ? textsOf(runsOn.labels) : textsOf(runsOn)
  const all = labels
    .map((label) => resolveTemplate(label, context, budget))
    .join(' ')
    .toLowerCase()
  if (/windows|macos|mac-|osx/.test(all)) return undefined
  if (/arm/.test(all)) return 1000
  if (/ubuntu-latest/.test(all)) return 0
  const release = /ubuntu-(\d\d)/.exec(all)?.[1]
  return release === undefined ? 200 : 100 - Number(release)
}

function readServices(services: YamlValue | undefined, { context, source }: StepScope): string[] {
  return Object.entries(mapOf(services))
    .slice(0, mostServices)
    .map(([name, service]) => {
      const image = isMap(service) ? textOf(service.image) : textOf(service)
      const named = image === undefined ? '' : serviceName(resolveTemplate(image, context, source.budget))
      return named !== '' && isResolved(named) ? named : name
    })
}
