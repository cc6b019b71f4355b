import {
  type BuildResult,
  decodeUtf8,
  type ExecResult,
  type FileEntry,
  type JsonObject,
  R2eError,
  type Sandbox,
  type SandboxLimits,
  type SandboxProvider,
  type TestReport,
} from '@r2e/spec'
import { parseDetails, parseReward, parseTestReport } from './task-result.ts'

export interface RunTaskRequest {
  readonly provider: SandboxProvider
  /** A rendered task, whole. */
  readonly files: readonly FileEntry[]
  /** `nop` grades the untouched tree; `oracle` runs solution/solve.sh first. */
  readonly state: 'nop' | 'oracle'
  /** Owner label of everything made. */
  readonly run: string
  readonly limits: SandboxLimits
  /** Limit of solve.sh, and of test.sh; the latter gets half a minute on top, so that the grader's own limit comes first. */
  readonly timeoutMs: number
  readonly buildTimeoutMs: number
  /** Which phases have a network; default: building alone. */
  readonly network?: { readonly build: boolean; readonly run: boolean } | undefined
  readonly signal?: AbortSignal | undefined
}

/** Plain JSON. Only `graded` says anything about the task's tests. */
export type TaskRun = GradedRun | UngradedRun

export interface GradedRun {
  readonly outcome: 'graded'
  readonly reward: number
  /** reward-details.json. */
  readonly details: JsonObject
  /** tests.json; undefined for tasks that run no tests. */
  readonly report: TestReport | undefined
  readonly solve: CommandRun | undefined
  readonly verify: CommandRun
  /** Tail of what the tests printed. */
  readonly log: string
  readonly durations: RunDurations
}

export interface UngradedRun {
  readonly outcome: 'build_failed' | 'infrastructure'
  readonly reason:
    | 'step_failed'
    | 'build_timed_out'
    | 'base_image_missing'
    | 'solve_timed_out'
    | 'verifier_timed_out'
    | 'out_of_memory'
    | 'no_reward'
  /** One line: the step or command, and how it ended. */
  readonly detail: string
  readonly log: string
  readonly report?: undefined
  readonly durations: RunDurations
}

export interface CommandRun {
  readonly exitCode: number
  /** Tail of standard output and error. */
  readonly output: string
  readonly durationMs: number
}

export interface RunDurations {
  readonly buildMs: number
  readonly openMs: number
  readonly solveMs: number
  readonly verifyMs: number
}

const LOGS = '/logs/verifier'
const GRADER_SLACK_MS = 30_000
const TAIL = 4000

/**
 * Runs a rendered task as its consumers do: builds environment/, opens it (without network unless asked), puts solution/ and then
 * tests/ in, runs `bash /tests/test.sh`, and reads what it left. Throws only what the sandbox throws.
 */
export async function runTask(request: RunTaskRequest): Promise<TaskRun> {
  return await runBuiltTask(request, await buildTask(request))
}

/** Builds environment/; `fresh` uses no layer of an earlier build. */
export function buildTask(request: RunTaskRequest, fresh = false): Promise<BuildResult> {
  return request.provider.build({
    context: below(request.files, 'environment/'),
    run: request.run,
    timeoutMs: request.buildTimeoutMs,
    network: request.network?.build ?? true,
    fresh,
    signal: request.signal,
  })
}

/** The rest of {@link runTask}, in what was built. */
export async function runBuiltTask(request: RunTaskRequest, built: BuildResult): Promise<TaskRun> {
  const durations = { buildMs: built.durationMs, openMs: 0, solveMs: 0, verifyMs: 0 }
  if (!built.ok) {
    const reason = built.reason === 'timed_out' ? 'build_timed_out' : built.reason
    const outcome = reason === 'step_failed' ? 'build_failed' : 'infrastructure'
    return { outcome, reason, detail: built.step, log: tail(built.log), durations }
  }
  const begin = performance.now()
  await using sandbox = await request.provider.open({
    image: built.image,
    run: request.run,
    network: request.network?.run ?? false,
    limits: request.limits,
    signal: request.signal,
  })
  return await gradeIn(sandbox, request, { ...durations, openMs: performance.now() - begin })
}

async function gradeIn(sandbox: Sandbox, request: RunTaskRequest, opened: RunDurations): Promise<TaskRun> {
  const oracle = request.state === 'oracle'
  const put = (folder: string) => sandbox.write(`/${folder}`, below(request.files, `${folder}/`))
  // Trips to a sandbox cost more than what they do: those that touch different folders share their time.
  await Promise.all([prepareLogs(sandbox, request), put(oracle ? 'solution' : 'tests')])
  let durations = opened
  let solve: ExecResult | undefined
  if (oracle) {
    solve = await execute(sandbox, ['bash', '/solution/solve.sh'], request.timeoutMs, request.signal)
    durations = { ...durations, solveMs: solve.durationMs }
    const broken = interruption('solve_timed_out', 'solve.sh', solve)
    if (broken) return { ...broken, durations }
    await put('tests')
  }
  const limit = request.timeoutMs + GRADER_SLACK_MS
  const verify = await execute(sandbox, ['bash', '/tests/test.sh'], limit, request.signal)
  durations = { ...durations, verifyMs: verify.durationMs }
  const broken = interruption('verifier_timed_out', 'test.sh', verify)
  if (broken) return { ...broken, durations }
  return await readResult(sandbox, { solve, verify, durations })
}

interface Finished {
  readonly solve: ExecResult | undefined
  readonly verify: ExecResult
  readonly durations: RunDurations
}

async function readResult(sandbox: Sandbox, { solve, verify, durations }: Finished): Promise<TaskRun> {
  const names = ['reward.json', 'reward-details.json', 'tests.json', 'test-output.txt']
  const [score, details, report, log] = await Promise.all(names.map((name) => sandbox.read(`${LOGS}/${name}`)))
  const reward = parseReward(score)
  if (reward === undefined) {
    const detail = `test.sh exited ${verify.exitCode} and left no valid reward.json`
    return { outcome: 'infrastructure', reason: 'no_reward', detail, log: outputOf(verify), durations }
  }
  return {
    outcome: 'graded',
    reward,
    details: parseDetails(details),
    report: parseTestReport(report),
    solve: solve && commandRun(solve),
    verify: commandRun(verify),
    log: tail(decodeUtf8(log ?? new Uint8Array())),
    durations,
  }
}

/** The folders that a Harbor runtime makes. */
async function prepareLogs(sandbox: Sandbox, { signal }: RunTaskRequest): Promise<void> {
  const script = 'mkdir -p "$@" && chmod 777 "$@"'
  const folders = ['/logs/agent', LOGS, '/logs/artifacts']
  const result = await execute(sandbox, ['sh', '-c', script, 'sh', ...folders], 60_000, signal)
  if (result.outcome !== 'exited' || result.exitCode !== 0)
    throw new R2eError('sandbox_failed', 'transient', `${sandbox.id}: cannot make /logs: ${outputOf(result)}`)
}

function execute(sandbox: Sandbox, argv: readonly string[], timeoutMs: number, signal: AbortSignal | undefined) {
  return sandbox.exec({ argv, timeoutMs, signal })
}

function interruption(reason: 'solve_timed_out' | 'verifier_timed_out', script: string, result: ExecResult) {
  if (result.outcome === 'exited') return undefined
  const log = outputOf(result)
  if (result.outcome === 'oom')
    return { outcome: 'infrastructure', reason: 'out_of_memory', detail: `${script} ran out of memory`, log } as const
  const detail = `${script} ran for more than ${Math.round(result.durationMs / 1000)} s`
  return { outcome: 'infrastructure', reason, detail, log } as const
}

function commandRun(result: ExecResult): CommandRun {
  return { exitCode: result.exitCode, output: outputOf(result), durationMs: result.durationMs }
}

function outputOf(result: ExecResult): string {
  return tail(decodeUtf8(result.stdout) + decodeUtf8(result.stderr))
}

function tail(text: string): string {
  return text.length > TAIL ? `…${text.slice(-TAIL)}` : text
}

function below(files: readonly FileEntry[], folder: string): FileEntry[] {
  return files
    .filter((file) => file.path.startsWith(folder))
    .map((file) => ({ ...file, path: file.path.slice(folder.length) }))
}
