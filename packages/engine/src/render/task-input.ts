import type { Digest, Draft, FileEntry, FileMode, ObjectId, Recipe, RestorePlan, RunPlan } from '@r2e/spec'

/** Everything a task is rendered from: equal inputs give equal bytes. */
export interface TaskInput {
  /** `<owner>__<repo>-<suffix>`; also the name of the directory. */
  readonly taskId: string
  readonly org: string
  readonly pipeline: { readonly name: string; readonly version: string }
  readonly repository: TaskRepository
  readonly base: ObjectId
  readonly draft: Draft
  /** undefined: a text-only task, without environment/ and tests/. */
  readonly recipe: Recipe | undefined
  /** The tree the agent starts from: base and the draft's setup. Required with `recipe`. */
  readonly snapshot: Snapshot | undefined
  readonly tests: TaskTests | undefined
  /** The oracle as the grader's own `git diff` prints it (`applySolution`); for tasks graded by similarity. */
  readonly oracle?: Uint8Array | undefined
  readonly limits: TaskLimits
  /** The files of `@r2e/grader` that the task needs, relative to tests/. */
  readonly grader: readonly FileEntry[]
  /** Measured reward of the untouched tree; undefined while observing. */
  readonly baselineReward: number | undefined
  /** SPDX expression. */
  readonly licence: string | undefined
  readonly image: TaskImage | undefined
  /** `verified`: gold scored 1 and doing nothing less, run on these very bytes; `computed`: scored without a run. */
  readonly validation: 'verified' | 'computed' | 'unverified'
  /** A tag to recreate in the snapshot's repository, for builds that read their version from git. */
  readonly versionTag: string | undefined
}

export interface TaskRepository {
  readonly url: string
  readonly owner: string
  readonly name: string
  readonly access: 'public' | 'private'
}

export interface TaskTests {
  readonly run: RunPlan
  readonly restore: RestorePlan
  /** Below tests/files/. */
  readonly files: readonly FileEntry[]
  readonly failToPass: readonly string[]
  readonly passToPass: readonly string[]
}

export interface TaskLimits {
  readonly verifierTimeoutSec: number
  readonly cpus: number
  readonly memoryMb: number
}

export interface TaskImage {
  readonly mode: 'inline_dockerfile' | 'local_only'
  readonly recipeDigest: string
}

/** The agent's tree, packed. */
export interface Snapshot {
  /** `environment/base.tar.gz`. */
  readonly archive: Uint8Array
  /** Git's id of the tree, which the commit in the image has too. */
  readonly tree: ObjectId
  readonly digest: Digest
  readonly entries: readonly SnapshotEntry[]
  /** Paths left out because they cannot be checked out: `.git` components, `..`, too long, below a file, broken links. */
  readonly omitted: readonly string[]
}

export interface SnapshotEntry {
  readonly path: string
  readonly mode: FileMode
  /** Bytes. */
  readonly size: number
}

/** Where the tree lies in the container. */
export const WORK_TREE = '/app'
