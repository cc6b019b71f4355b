import type { FileEntry } from '@r2e/spec'
import { checkGrader } from './check-grader.ts'
import { checkSnapshot } from './check-snapshot.ts'
import { error, type Finding } from './finding.ts'
import { lintTask } from './lint.ts'
import { type TaskFiles, taskFiles } from './task-files.ts'
import { checkTaskToml, type TaskToml } from './task-toml.ts'

export interface DeepCheck {
  /** The grader of this version, `graderFiles()`. */
  readonly grader: readonly FileEntry[]
  readonly signal?: AbortSignal | undefined
}

/** Everything that can be said of a rendered task without running it: what a dataset must be free of before it is written. */
export async function checkRenderedTask(files: readonly FileEntry[], check: DeepCheck): Promise<readonly Finding[]> {
  const task = taskFiles(files)
  const { toml, findings } = checkTaskToml(task)
  return toml ? [...findings, ...(await checkDeep(task, toml, check))] : findings
}

/** Lint, and for tasks of ours the agreement of their files with each other. */
export async function checkDeep(task: TaskFiles, toml: TaskToml, { grader, signal }: DeepCheck): Promise<Finding[]> {
  const findings = lintTask(task, toml)
  const { repo2env } = toml.metadata ?? {}
  if (!repo2env) return findings
  if (repo2env.content_hash === undefined) findings.push(error('content_hash_missing', 'task.toml has no content_hash'))
  return [...findings, ...checkGrader({ task, toml, repo2env, grader }), ...(await checkSnapshot(task, signal))]
}
