import {
  decodeUtf8,
  type ExecResult,
  type LanguagePack,
  type Recipe,
  type RunCommand,
  type Runner,
  type Sandbox,
} from '@r2e/spec'
import { buildLayers, dockerfileOf, openWithTree, WORK_TREE, type Workbench } from './workbench.ts'

const STEP_LIMIT_MS = 300_000
const TEST_LIMIT_MS = 900_000
const REPORT_LIMIT = 16 * 2 ** 20
const REPORTS = '/tmp/r2e-report'
const GRADER = '/tmp/r2e-tests'

/** What went wrong, in words for the model. */
export interface TrialFailure {
  readonly problem: string
  readonly log: string
}

/**
 * Carries a recipe out from nothing in the order of a task (dependencies without the tree, then the tree, then project steps
 * without network) and runs its tests once. Failing tests are no failure: a test that is seen is what counts.
 */
export async function tryRecipe(
  bench: Workbench,
  recipe: Recipe,
  packs: readonly LanguagePack[],
): Promise<TrialFailure | undefined> {
  const steps = [...recipe.dependencies, ...recipe.setup].map(({ run }) => run)
  const built = await buildLayers(bench, dockerfileOf(recipe, steps), recipe.files)
  if (!built.ok)
    return {
      problem: `${built.reason === 'timed_out' ? 'timed out' : 'failed'}: ${built.step}\n(no source tree is there yet; manifests lie in /r2e/)`,
      log: built.log,
    }
  try {
    const { sandbox } = await openWithTree(bench, built.image, false)
    await using _ = sandbox
    for (const { run } of recipe.project) {
      const result = await sandbox.exec({
        argv: ['/bin/sh', '-c', run],
        cwd: WORK_TREE,
        timeoutMs: STEP_LIMIT_MS,
        signal: bench.signal,
      })
      if (!succeeded(result))
        return {
          problem: `${endOf(result)}: ${run}\n(project commands run in ${WORK_TREE} without network)`,
          log: outputOf(result),
        }
    }
    return await tryTests(bench, sandbox, recipe, packs)
  } finally {
    // its layers stay cached for the proof
    await bench.provider.remove(built.image)
  }
}

async function tryTests(
  bench: Workbench,
  sandbox: Sandbox,
  recipe: Recipe,
  packs: readonly LanguagePack[],
): Promise<TrialFailure | undefined> {
  const runner = packs.flatMap(({ runners }) => runners).find(({ name }) => name === recipe.runner)
  const commands = runner?.suite(recipe) ?? []
  await sandbox.write(GRADER, bench.grader)
  const logs: string[] = []
  for (const command of commands) {
    const result = await sandbox.exec({
      argv: ['sh', '-c', `mkdir -p ${REPORTS} && exec "$@"`, 'sh', ...command.argv.map(placed)],
      cwd: WORK_TREE,
      env: Object.fromEntries(
        Object.entries({ ...runner!.env, ...recipe.testEnv }).map(([name, value]) => [name, placed(value)]),
      ),
      timeoutMs: TEST_LIMIT_MS,
      outputLimit: REPORT_LIMIT,
      signal: bench.signal,
    })
    logs.push(outputOf(result))
    if (result.outcome !== 'exited' || [126, 127].includes(result.exitCode))
      return { problem: `${endOf(result)}: the tests, ${command.argv.join(' ')}`, log: outputOf(result) }
    if (await showsTest(bench, sandbox, runner!, { command, result })) return undefined
  }
  return {
    problem: `no test was seen by ${commands.map(({ argv }) => argv.join(' ')).join('; ')}`,
    log: logs.join('\n'),
  }
}

const placed = (word: string) => word.replaceAll('{report}', REPORTS).replaceAll('{tests}', GRADER)

async function showsTest(
  bench: Workbench,
  sandbox: Sandbox,
  runner: Runner,
  { command, result }: Ran,
): Promise<boolean> {
  if (command.stdout) return isReport(runner, decodeUtf8(result.stdout))
  for (const { glob } of command.collect ?? []) {
    const find = 'find . -path "./$1" -type f -exec grep -l -e "<testcase" -- {} + | head -n 1'
    const argv = ['sh', '-c', find, 'sh', glob]
    const found = await sandbox.exec({ argv, cwd: WORK_TREE, timeoutMs: STEP_LIMIT_MS, signal: bench.signal })
    if (found.stdout.length > 0) return true
  }
  if (command.report === undefined) return false
  // a link, a folder or too much of it is no report
  const report = await sandbox.read(`${REPORTS}/${command.report}`, REPORT_LIMIT).catch(() => undefined)
  return report !== undefined && isReport(runner, decodeUtf8(report))
}

interface Ran {
  readonly command: RunCommand
  readonly result: ExecResult
}

/** Whether a test stands in it, roughly: the proof counts them. */
function isReport({ format }: Runner, text: string): boolean {
  if (format.startsWith('junit-')) return text.includes('<testcase')
  if (format === 'go-json') return text.includes('"Test":')
  if (format === 'events-jsonl') return /"(?:id|test|name)":/.test(text)
  return text.trim() !== ''
}

function succeeded({ outcome, exitCode }: ExecResult): boolean {
  return outcome === 'exited' && exitCode === 0
}

/** How a command ended. */
export function endOf({ outcome, exitCode, durationMs }: ExecResult): string {
  const seconds = Math.round(durationMs / 1000)
  if (outcome === 'timed_out') return `timed out after ${seconds} s`
  return `${outcome === 'oom' ? 'killed for memory' : `exit code ${exitCode}`} after ${seconds} s`
}

export function outputOf({ stdout, stderr }: ExecResult): string {
  return [stdout, stderr]
    .map(decodeUtf8)
    .filter((text) => text !== '')
    .join('\n')
}
