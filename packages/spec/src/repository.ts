import type { FileMode } from './files.ts'

/** 40 (or 64) lower-case hexadecimal digits. */
export type ObjectId = string

/** Where a repository comes from, as the user wrote it (contract §2, RepoSpec). */
export interface RepoSpec {
  readonly url: string
  readonly ref: string
  readonly access: 'public' | 'private' | 'auto'
  /** Name of the environment variable that holds the token; never the token. */
  readonly auth_token_env?: string | null | undefined
  readonly sparse_paths?: readonly string[] | undefined
}

/** An adapter that opens repositories. `accepts` says whether the URL is one for it. */
export interface RepoSource {
  readonly name: string
  accepts(url: string): boolean
  /**
   * The commit that the spec's ref names, without fetching the repository; undefined where only opening it can tell.
   * @throws as `open` does
   */
  resolve?(spec: RepoSpec, options: OpenOptions): Promise<ResolvedRef | undefined>
  /** @throws R2eError `repo_not_found`, `ref_not_found`, `shallow_repository`, `partial_clone`, `not_a_repository` (fault user) */
  open(spec: RepoSpec, options: OpenOptions): Promise<Repository>
}

/** `owner`, `name` and `url` are those that the open repository has. */
export interface ResolvedRef {
  readonly owner: string
  readonly name: string
  readonly url: string
  readonly commit: ObjectId
}

export interface OpenOptions {
  /** Folder for clones and indexes; owned by r2e. */
  readonly cacheDirectory: string
  readonly signal?: AbortSignal | undefined
  readonly onProgress?: ((text: string) => void) | undefined
}

/** An open repository. An absent method is an absent capability. */
export interface Repository extends AsyncDisposable {
  /** `owner` is `local` for a path; both are safe in file names. */
  readonly owner: string
  readonly name: string
  /** The address without credentials, as printed in tasks: https URL, or `local/<dirname>` for a path. */
  readonly url: string
  /** Base of web links such as `https://github.com/o/n`, or undefined for a local repository. */
  readonly webUrl: string | undefined
  /** The commit that the spec's ref names. */
  readonly head: ObjectId
  /** Id of the oldest first-parent commit: the same in every clone and fork. */
  rootCommit(): Promise<ObjectId>
  tree(commit: ObjectId): Promise<Tree>
  /** The changes from one commit's tree to another's, renames found, patches included. */
  diff(from: ObjectId, to: ObjectId, signal?: AbortSignal): Promise<readonly FileChange[]>
  mergeBase(a: ObjectId, b: ObjectId): Promise<ObjectId | undefined>
  commit(id: ObjectId): Promise<CommitInfo>
  /** Name of the newest tag that is an ancestor of, or equal to, `commit`, compared by unix time. */
  newestTag(commit: ObjectId): Promise<string | undefined>
  /** Commits reachable from the ref, newest first, each with its changes against its first parent; one git process. */
  commits?(query: CommitQuery): AsyncGenerator<Commit, void>
  /** Merged pull requests, newest merge first. */
  pullRequests?(query: PullRequestQuery): AsyncGenerator<PullRequest, void>
}

export interface Tree {
  readonly commit: ObjectId
  /** Every file, sorted by path bytes. Submodule links are listed apart. */
  entries(): Promise<readonly TreeEntry[]>
  submodules(): Promise<readonly string[]>
  /** The bytes of a file (or the target of a link), or undefined where there is none. */
  read(path: string): Promise<Uint8Array | undefined>
  /** Many files through one process. */
  readAll(paths: readonly string[]): Promise<ReadonlyMap<string, Uint8Array>>
}

export interface TreeEntry {
  readonly path: string
  readonly mode: FileMode
  readonly blob: ObjectId
  /** Bytes. */
  readonly size: number
}

export interface CommitQuery {
  /** A branch, tag or commit; default: the repository's head. */
  readonly from?: string | undefined
  /** ISO 8601; commits committed before it are left out. */
  readonly since?: string | undefined
  readonly until?: string | undefined
  /** Follow first parents only, and take a merge as its change against its first parent. */
  readonly firstParent: boolean
  readonly signal?: AbortSignal | undefined
}

export interface CommitInfo {
  readonly id: ObjectId
  readonly parents: readonly ObjectId[]
  readonly authorName: string
  /** For bot detection only; never stored in a task, event or journal. */
  readonly authorEmail: string
  /** ISO 8601 with offset. */
  readonly authoredAt: string
  readonly committedAt: string
  /** Whole message, undecodable bytes replaced. */
  readonly message: string
}

export interface Commit extends CommitInfo {
  /** Against the first parent; for a root commit against the empty tree. */
  readonly changes: readonly FileChange[]
  /** Why the changes have no patches, as a skip reason; absent where they have. Each of the changes says the same. */
  readonly withheld?: WithheldReason
}

export interface FileChange {
  readonly path: string
  /** Differs from `path` for renames and copies only. */
  readonly oldPath: string
  readonly kind: 'added' | 'deleted' | 'modified' | 'renamed' | 'copied' | 'mode'
  /** undefined where the side does not exist; `160000` is a submodule link. */
  readonly oldMode: FileMode | '160000' | undefined
  readonly newMode: FileMode | '160000' | undefined
  readonly oldBlob: ObjectId | undefined
  readonly newBlob: ObjectId | undefined
  readonly binary: boolean
  readonly addedLines: number
  readonly deletedLines: number
  /** This file's section, from `diff --git` to the byte before the next section: applies alone with `git apply`. */
  readonly patch: Uint8Array
  /** Why `patch` is empty and the counts are 0: a commit or diff that is too large, or that git cannot read, is so as a whole. */
  readonly withheld?: WithheldReason
}

/** Skip reasons; `diff_fetch_failed` is an object that is missing or damaged. */
export type WithheldReason = 'diff_too_large' | 'diff_fetch_failed'

export interface PullRequestQuery {
  readonly since?: string | undefined
  readonly until?: string | undefined
  readonly skipDrafts: boolean
  readonly signal?: AbortSignal | undefined
}

/** A merged pull (or merge) request. Fields that a source cannot know are undefined. */
export interface PullRequest {
  readonly number: number
  readonly title: string
  readonly body: string
  readonly head: ObjectId
  /** Merge base of the head and the branch it was merged into: what the author saw. */
  readonly base: ObjectId
  readonly mergeCommit: ObjectId | undefined
  readonly mergedAt: string
  readonly authorName: string
  readonly authorIsBot: boolean
  readonly draft: boolean | undefined
  readonly labels: readonly string[]
  readonly url: string | undefined
  readonly linkedIssues: readonly LinkedIssue[]
}

export interface LinkedIssue {
  readonly reference: string
  readonly title: string
  readonly body: string
}
