import { graderFiles } from '@r2e/grader'
import { type FileEntry, isR2eError, type SandboxLimits, type SandboxProvider, userError } from '@r2e/spec'
import { readTask } from '../dataset/read-task.ts'
import { type CheckedTask, checkDataset, describeTask, groupByFolder, isVouchedFor } from './check-dataset.ts'
import { checkRuns } from './check-runs.ts'
import { checkDeep } from './check-task.ts'
import { type FoundTask, findTasks } from './find-tasks.ts'
import { error, type Finding, warning } from './finding.ts'
import { type TaskFiles, taskFiles } from './task-files.ts'
import { checkTaskToml, type TaskToml } from './task-toml.ts'
import type { ValidateEvent, ValidateSummary } from './validate-event.ts'

export interface ValidateOptions {
  /** Cross-file checks, lint, digests, manifest; implied by `oracle` and `nop`. */
  readonly deep?: boolean | undefined
  readonly oracle?: boolean | undefined
  readonly nop?: boolean | undefined
  /** Times each of them is run; default 1. */
  readonly runs?: number | undefined
  /** Needed for `oracle` and `nop`. */
  readonly sandbox?: SandboxProvider | undefined
  readonly limits?: SandboxLimits | undefined
  readonly buildTimeoutMs?: number | undefined
  /** Owner label of sandboxes. */
  readonly label?: string | undefined
  readonly signal?: AbortSignal | undefined
}

const LIMITS: SandboxLimits = { cpus: 1, memoryMb: 4096, pids: 1024 }

/**
 * Checks every task at or below a path (contract §1.2). What is wrong is data; the summary is `ok` where a task was
 * found and no error.
 * @throws R2eError `sandbox_missing` (fault user)
 */
export async function* validate(
  path: string,
  options: ValidateOptions,
): AsyncGenerator<ValidateEvent, ValidateSummary> {
  const running = Boolean(options.oracle || options.nop)
  if (running && !options.sandbox) throw userError('sandbox_missing', 'running tasks needs a sandbox')
  const deep = options.deep || running
  const grader = deep ? await graderFiles() : []
  const checked: CheckedTask[] = []
  const tally = createTally()
  for (const found of await findTasks(path)) {
    options.signal?.throwIfAborted()
    yield { type: 'task-start', task: found.name }
    const valid = yield* tally.counted(checkTask(found, { ...options, deep, grader }, checked))
    yield { type: 'task-end', task: found.name, valid }
    tally.end(valid)
  }
  if (deep) yield* tally.counted(checkDatasets(checked))
  return tally.summary()
}

interface TaskOptions extends ValidateOptions {
  readonly deep: boolean
  readonly grader: readonly FileEntry[]
}

async function* checkTask(
  found: FoundTask,
  options: TaskOptions,
  checked: CheckedTask[],
): AsyncGenerator<ValidateEvent> {
  const report = (findings: readonly Finding[]) =>
    findings.map((finding): ValidateEvent => ({ type: 'finding', task: found.name, ...finding }))
  const task = await readFiles(found.directory)
  if (!('files' in task)) return yield* report([task])
  const { toml, findings } = checkTaskToml(task)
  yield* report(findings)
  if (options.deep) checked.push(describeTask(found.directory, task, toml))
  if (!toml || !options.deep) return
  const deep = await checkDeep(task, toml, options)
  yield* report((await isVouchedFor(found.directory, task)) ? deep.map(allowOtherVersion) : deep)
  if (!options.sandbox || !isRunnable(toml, task)) return
  if (!task.get('environment/Dockerfile'))
    return yield* report([warning('not_run', 'without environment/Dockerfile the task was not run')])
  for await (const { findings: wrong, ...run } of checkRuns(task, toml, runChecks(options, options.sandbox))) {
    yield { type: 'task-run', task: found.name, ...run }
    yield* report(wrong)
  }
}

/** A text-only task has nothing to run. */
function isRunnable({ environment }: TaskToml, task: TaskFiles): boolean {
  return environment?.docker_image !== undefined || task.below('environment').length > 0
}

const OF_THIS_VERSION = new Set(['grader_changed', 'solve_script_changed', 'snapshot_step_changed'])

/** Scripts that another version of this tool wrote are no fault where the manifest knows these very bytes. */
function allowOtherVersion(finding: Finding): Finding {
  return OF_THIS_VERSION.has(finding.code) ? { ...finding, level: 'warning' } : finding
}

async function readFiles(directory: string): Promise<TaskFiles | Finding> {
  try {
    return taskFiles(await readTask(directory))
  } catch (cause) {
    return error(isR2eError(cause) ? cause.code : 'unreadable', cause instanceof Error ? cause.message : String(cause))
  }
}

function runChecks(options: ValidateOptions, sandbox: SandboxProvider) {
  return {
    sandbox,
    oracle: options.oracle ?? false,
    nop: options.nop ?? false,
    runs: options.runs ?? 1,
    label: options.label ?? 'validate',
    limits: options.limits ?? LIMITS,
    buildTimeoutMs: options.buildTimeoutMs ?? 1_800_000,
    signal: options.signal,
  }
}

async function* checkDatasets(checked: readonly CheckedTask[]): AsyncGenerator<ValidateEvent> {
  for (const [directory, tasks] of groupByFolder(checked))
    for (const finding of await checkDataset(directory, tasks)) yield { type: 'finding', task: '.', ...finding }
}

function createTally() {
  let [tasks, valid, errors, warnings, runs] = [0, 0, 0, 0, 0]
  return {
    /** Passes events on; answers whether none was an error. */
    async *counted(events: AsyncGenerator<ValidateEvent>): AsyncGenerator<ValidateEvent, boolean> {
      const before = errors
      for await (const event of events) {
        if (event.type === 'task-run') runs++
        if (event.type === 'finding') event.level === 'error' ? errors++ : warnings++
        yield event
      }
      return errors === before
    },
    end(isValid: boolean) {
      tasks++
      if (isValid) valid++
    },
    summary: (): ValidateSummary => ({ ok: tasks > 0 && errors === 0, tasks, valid, errors, warnings, runs }),
  }
}
