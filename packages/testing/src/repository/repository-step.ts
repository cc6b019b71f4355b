import type { FileMode } from '@r2e/spec'

/** Text is stored as UTF-8. `link` is the target of a symbolic link, `submodule` the commit of a submodule link. */
export type FileContent =
  | string
  | Uint8Array
  | { readonly content: string | Uint8Array; readonly mode: FileMode }
  | { readonly link: string }
  | { readonly submodule: string }

/** Paths are relative with `/`, in the lossless form of `pathFromBytes`. Renames come first, then deletions, then files. */
export interface TreeChanges {
  readonly files?: Readonly<Record<string, FileContent>>
  readonly delete?: readonly string[]
  /** Old path → new path. */
  readonly rename?: Readonly<Record<string, string>>
}

export interface CommitDetails {
  readonly author?: { readonly name: string; readonly email: string }
  /** ISO 8601, author and committer alike; default: one hour after the commit before, from 2024-01-01T00:00:00Z on. */
  readonly date?: string
}

/** A commit on the current branch. */
export interface CommitStep extends TreeChanges, CommitDetails {
  readonly commit: string | Uint8Array
}

/** Merges a branch into the current one, its files winning over ours; `files` and the like come on top. */
export interface MergeStep extends TreeChanges, CommitDetails {
  readonly merge: string
  readonly message: string | Uint8Array
}

/** Goes on at another branch; one that does not exist starts at `at` (a branch, or the index of a commit). */
export interface BranchStep {
  readonly branch: string
  readonly at?: string | number
  /** A new branch without any history. */
  readonly orphan?: true
}

/** A light tag, or with `annotation` an annotated one dated like a commit. */
export interface TagStep {
  readonly tag: string
  readonly at?: string | number
  readonly annotation?: string
}

/** Any ref, such as `refs/pull/7/head`. */
export interface RefStep {
  readonly ref: string
  readonly at?: string | number
}

/** The history starts on branch `main`. `at` is a branch or the index of a commit; default: the current branch. */
export type RepositoryStep = CommitStep | MergeStep | BranchStep | TagStep | RefStep
