import { type Budget, spend } from './budget.ts'
import type { NamedVersion } from './choose-rows.ts'
import type { FindText } from './ci-files.ts'
import { type ExpressionContext, evaluateCondition, resolveTemplate, resolveValue } from './expression.ts'
import type { CiStep } from './job.ts'
import { actionPackages, setUpVersion } from './tool-versions.ts'
import { joinFolder } from './unresolved.ts'
import { isMap, listOf, mapOf, type ParseYaml, textEntries, textOf, type YamlMap, type YamlValue } from './yaml.ts'

export interface WorkflowSource {
  readonly file: string
  readonly text: string
  readonly parse: ParseYaml
  /** For actions and workflows that stand in the repository itself. */
  readonly find: FindText
  readonly budget: Budget
}

export const mostSteps = 100
/** Of a job with the actions that it uses. */
const mostStepsOfAll = 500
/** Actions of the repository that call each other. */
const deepestActions = 3

export interface StepScope {
  readonly context: ExpressionContext
  /** The variables of workflow and job whose values stand in the file. */
  readonly literals: Readonly<Record<string, string>>
  /** `defaults.run`. */
  readonly defaults: YamlMap
  readonly source: WorkflowSource
  readonly depth: number
  /** How many were read, in actions too. */
  readonly count: { steps: number }
}

export interface ReadSteps {
  readonly steps: CiStep[]
  readonly packages: string[]
}

/** The scripts of the steps that may run, those of actions in the repository in their place, and what actions install. */
export function readSteps(steps: readonly YamlMap[], scope: StepScope): ReadSteps {
  const found: ReadSteps = { steps: [], packages: [] }
  const { budget } = scope.source
  for (const step of steps) {
    if (++scope.count.steps > mostStepsOfAll) break
    const condition = textOf(step.if)
    spend(budget, { bytes: 100 + (condition?.length ?? 0) })
    if (condition !== undefined && evaluateCondition(condition, scope.context) === false) continue
    const inner = withEnv(scope, step.env)
    const run = textOf(step.run)
    if (run !== undefined) found.steps.push(...scriptStep(run, step, inner))
    const uses = textOf(step.uses)
    if (uses === undefined) continue
    const inputs = resolvedInputs(step.with, inner.context, budget)
    found.packages.push(...actionPackages(uses, inputs))
    const action = localSteps(uses, inputs, scope)
    found.steps.push(...action.steps)
    found.packages.push(...action.packages)
  }
  return found
}

function scriptStep(run: string, step: YamlMap, { context, literals, defaults, source }: StepScope): CiStep[] {
  const shell = textOf(step.shell) ?? textOf(defaults.shell) ?? 'bash'
  if (!/^(?:bash|sh|\/bin\/(?:ba)?sh|dash)\b/.test(shell)) return []
  const folder = textOf(step['working-directory']) ?? textOf(defaults['working-directory']) ?? ''
  return [
    {
      script: resolveTemplate(run, context, source.budget),
      isLiteral: !run.includes('${{'),
      env: context.env as Readonly<Record<string, string>>,
      ownEnv: literals,
      folder: joinFolder('', resolveTemplate(folder, context, source.budget)),
    },
  ]
}

const mostActions = 20

/** The versions that the steps set up, those of actions in the repository among them, whatever their conditions say. */
export function setUpVersions(
  steps: readonly YamlMap[],
  context: ExpressionContext,
  source: WorkflowSource,
): NamedVersion[] {
  const found: NamedVersion[] = []
  let left = mostActions
  const read = (all: readonly YamlMap[], scope: ExpressionContext, depth: number): void => {
    for (const step of all) {
      const uses = textOf(step.uses)
      if (uses === undefined || --left < 0) continue
      const inputs = resolvedInputs(step.with, scope, source.budget)
      const version = setUpVersion(uses, inputs)
      if (version !== undefined) found.push(version)
      const action = depth < deepestActions ? localAction(uses, inputs, { context: scope, source }) : undefined
      if (action !== undefined) read(action.steps, action.context, depth + 1)
    }
  }
  read(steps, context, 0)
  return found
}

function localSteps(uses: string, inputs: YamlMap, scope: StepScope): ReadSteps {
  const action = scope.depth < deepestActions ? localAction(uses, inputs, scope) : undefined
  if (action === undefined) return { steps: [], packages: [] }
  return readSteps(action.steps, { ...scope, context: action.context, defaults: {}, depth: scope.depth + 1 })
}

interface LocalAction {
  readonly steps: readonly YamlMap[]
  readonly context: ExpressionContext
}

/** An action that stands in the repository: `uses: ./.github/actions/setup`. */
function localAction(
  uses: string,
  inputs: YamlMap,
  { context, source }: Pick<StepScope, 'context' | 'source'>,
): LocalAction | undefined {
  if (!uses.startsWith('./')) return undefined
  const folder = joinFolder('', uses)
  const text = ['action.yml', 'action.yaml'].map((name) => source.find(`${folder}/${name}`)).find((found) => found)
  if (text === undefined) return undefined
  const action = mapOf(source.parse(text))
  const steps = listOf(mapOf(action.runs).steps).filter(isMap).slice(0, mostSteps)
  spend(source.budget, { bytes: 16 * steps.length + 100 })
  return {
    steps,
    context: { ...context, inputs: withDefaults(inputs, action.inputs) },
  }
}

const mostInputs = 200

/** What an action or a workflow is called with, and its own values for the rest. */
export function withDefaults(inputs: YamlMap, declared: YamlValue | undefined): YamlMap {
  const defaults = Object.entries(mapOf(declared))
    .slice(0, mostInputs)
    .map(([name, input]) => [name, mapOf(input).default ?? ''])
  return Object.assign(Object.create(null), Object.fromEntries(defaults), inputs)
}

/** Variables over those of the scope. They may be written in full or as one expression that is a map. */
export function withEnv(scope: StepScope, env: YamlValue | undefined): StepScope {
  if (env === undefined || env === null) return scope
  const { context, source } = scope
  const { budget } = source
  const map = typeof env === 'string' ? resolveEnv(env, scope) : mapOf(env)
  const outer = textEntries(context.env)
  const written = Object.entries(textEntries(map))
  const set = written.map(([name, value]) => [name, resolveTemplate(value, context, budget)] as const)
  const isLiteral = (value: string) => typeof env !== 'string' && !value.includes('${{')
  const kept = Object.entries(scope.literals).filter(([name]) => !written.some(([other]) => other === name))
  spend(budget, { bytes: 32 * (Object.keys(outer).length + written.length) })
  return {
    ...scope,
    context: { ...context, env: Object.assign(Object.create(null), outer, Object.fromEntries(set)) },
    literals: Object.fromEntries([...kept, ...written.filter(([, value]) => isLiteral(value))]),
  }
}

function resolveEnv(text: string, { context, source }: StepScope): YamlMap {
  const value = resolveValue(text, context, source.budget)
  return isMap(value as YamlValue) ? (value as YamlMap) : {}
}

/** The inputs of an action or a workflow, which are texts. */
export function resolvedInputs(inputs: YamlValue | undefined, context: ExpressionContext, budget: Budget): YamlMap {
  const entries = Object.entries(textEntries(inputs))
  return Object.assign(
    Object.create(null),
    Object.fromEntries(entries.map(([key, value]) => [key, resolveTemplate(value, context, budget)])),
  )
}
