import type { FindText } from './ci-files.ts'
import { type ExpressionContext, evaluateCondition } from './expression.ts'
import type { CiStep } from './job.ts'
import { joinFolder } from './join-folder.ts'
import type { ParseYaml } from './parse-yaml.ts'
import { resolveTemplate } from './resolve-template.ts'
import { actionPackages } from './setup-actions.ts'
import { isMap, listOf, mapOf, textEntries, textOf, type YamlMap } from './yaml-value.ts'

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
    if (run !== undefined) found.steps.push(...scriptStep(run, step, { ...scope, context }, Object.keys(own)))
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

/** The steps of an action that stands in the repository: `uses: ./.github/actions/setup`. */
function localSteps(uses: string, inputs: YamlMap, scope: StepScope): ReadSteps {
  const none = { steps: [], packages: [] }
  if (!uses.startsWith('./') || scope.depth >= deepestActions) return none
  const folder = joinFolder('', uses)
  const text = ['action.yml', 'action.yaml']
    .map((name) => scope.source.find(`${folder}/${name}`))
    .find((found) => found)
  const action = mapOf(text === undefined ? undefined : scope.source.parse(text))
  const defaults = Object.entries(mapOf(action.inputs)).map(([name, input]) => [name, mapOf(input).default ?? ''])
  const context = { ...scope.context, inputs: { ...Object.fromEntries(defaults), ...inputs } }
  const steps = listOf(mapOf(action.runs).steps).filter(isMap).slice(0, mostSteps)
  return readSteps(steps, { ...scope, context, defaults: {}, depth: scope.depth + 1 })
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

export function resolvedMap(map: YamlMap, context: ExpressionContext): YamlMap {
  const entries = Object.entries(map).map(([key, value]) => [
    key,
    typeof value === 'string' ? resolveTemplate(value, context) : value,
  ])
  return Object.fromEntries(entries)
}
