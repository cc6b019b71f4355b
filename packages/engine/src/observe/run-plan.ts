import type { IsGone, LanguagePack, Recipe, Runner, RunPlan } from '@r2e/spec'
import { userError } from '@r2e/spec'

export interface PlanRequest {
  readonly recipe: Recipe
  readonly runner: Runner
  /** Test files to run, or undefined for the whole suite. */
  readonly files: readonly string[] | undefined
  /** Hidden test files, which the whole suite covers too. */
  readonly hidden: readonly string[]
  /** What of the base is gone in this state. */
  readonly isGone: IsGone
  readonly timeoutSec: number
  /** Fixes the order of hashed collections where the runner's language has such a seed. */
  readonly seed: number
}

/** The command that decides, resolved once: what is observed is what is shipped. */
export function runPlan({ recipe, runner, files, hidden, isGone, timeoutSec, seed }: PlanRequest): RunPlan {
  const commands = files ? runner.files(recipe, files) : runner.suite(recipe, hidden, isGone)
  return {
    schema: 'r2e.run/1',
    workdir: '/app',
    runner: runner.name,
    format: runner.format,
    commands,
    env: { ...runner.env, ...('PYTHONHASHSEED' in runner.env && { PYTHONHASHSEED: String(seed) }), ...recipe.testEnv },
    timeout_sec: timeoutSec,
    coverage: files ? 'touched' : 'suite',
    ...(runner.faults && { faults: runner.faults }),
  }
}

export function runnerOf(packs: readonly LanguagePack[], recipe: Recipe): { pack: LanguagePack; runner: Runner } {
  const pack = packs.find(({ name }) => name === recipe.language)
  const runner = pack?.runners.find(({ name }) => name === recipe.runner)
  if (!pack || !runner) throw userError('runner_unknown', `no runner ${recipe.runner} for ${recipe.language}`)
  return { pack, runner }
}
