import type { FindText } from './ci-files.ts'
import { type ExpressionContext, evaluateCondition } from './expression.ts'
import type { CiStep, ToolVersion } from './job.ts'
import { joinFolder } from './join-folder.ts'
import type { ParseYaml } from './parse-yaml.ts'
import { resolveTemplate } from './resolve-template.ts'
import { actionPackages, setUpVersion } from './setup-actions.ts'
import { isMap, listOf, mapOf, textEntries, textOf, type YamlMap, type YamlValue } from './yaml-value.ts'

export interface WorkflowSource {
  readonly file: string
  readonly text: string
  readonly parse: ParseYaml
  /** For actions that stand in the repository itself. */
  readonly find: FindText
}

export const mostSteps = 100
/** Of a job with the actions that it uses. */
const mostStepsOfAll = 500
/** Actions of the repository that call each other. */
const deepestActions = 3

export interface StepScope {
  readonly context: ExpressionContext
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

/** The scripts of the steps that run, those of actions in the repository in their place, and what actions install. */
export function readSteps(steps: readonly YamlMap[], scope: StepScope): ReadSteps {
  const found: ReadSteps = { steps: [], packages: [] }
  for (const step of steps) {
    if (++scope.count.steps > mostStepsOfAll) break
    const condition = textOf(step.if)
    if (condition !== undefined && evaluateCondition(condition, scope.context) === false) continue
    const own = resolvedEntries(textEntries(step.env), scope.context)
    const context = withEnv(scope.context, own)
    const run = textOf(step.run)
    if (run !== undefined) found.steps.push(...scriptStep(run, step, { ...scope, context }, plainNames(step.env)))
    const uses = textOf(step.uses)
    if (uses === undefined) continue
    const inputs = resolvedMap(mapOf(step.with), context)
    found.packages.push(...actionPackages(uses, inputs))
    const inner = localSteps(uses, inputs, scope)
    found.steps.push(...inner.steps)
    found.packages.push(...inner.packages)
  }
  return found
}

/** The variables whose values stand in the file. */
function plainNames(env: YamlValue | undefined): string[] {
  return Object.entries(textEntries(env)).flatMap(([name, value]) => (value.includes('${{') ? [] : [name]))
}

function scriptStep(run: string, step: YamlMap, { context, defaults }: StepScope, ownEnv: string[]): CiStep[] {
  const shell = textOf(step.shell) ?? textOf(defaults.shell) ?? 'bash'
  if (!/^(?:bash|sh|\/bin\/(?:ba)?sh|dash)\b/.test(shell)) return []
  const folder = textOf(step['working-directory']) ?? textOf(defaults['working-directory']) ?? ''
  return [
    {
      script: resolveTemplate(run, context),
      env: textEntries(context.env),
      ownEnv,
      folder: joinFolder('', resolveTemplate(folder, context)),
    },
  ]
}

const mostActions = 20

/** The versions that the steps set up, those of actions in the repository among them, whatever their conditions say. */
export function setUpVersions(
  steps: readonly YamlMap[],
  context: ExpressionContext,
  source: WorkflowSource,
): Omit<ToolVersion, 'tested'>[] {
  const found: Omit<ToolVersion, 'tested'>[] = []
  let left = mostActions
  const read = (all: readonly YamlMap[], scope: ExpressionContext, depth: number): void => {
    for (const step of all) {
      const uses = textOf(step.uses)
      if (uses === undefined || --left < 0) continue
      const inputs = resolvedMap(mapOf(step.with), scope)
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
  const defaults = Object.entries(mapOf(action.inputs)).map(([name, input]) => [name, mapOf(input).default ?? ''])
  return {
    steps: listOf(mapOf(action.runs).steps).filter(isMap).slice(0, mostSteps),
    context: { ...context, inputs: { ...Object.fromEntries(defaults), ...inputs } },
  }
}

export function withEnv(context: ExpressionContext, env: Readonly<Record<string, string>>): ExpressionContext {
  return { ...context, env: Object.assign(Object.create(null), context.env, env) }
}

export function resolvedEntries(
  entries: Readonly<Record<string, string>>,
  context: ExpressionContext,
): Record<string, string> {
  return Object.fromEntries(Object.entries(entries).map(([key, value]) => [key, resolveTemplate(value, context)]))
}

function resolvedMap(map: YamlMap, context: ExpressionContext): YamlMap {
  const entries = Object.entries(map).map(([key, value]) => [
    key,
    typeof value === 'string' ? resolveTemplate(value, context) : value,
  ])
  return Object.fromEntries(entries)
}
