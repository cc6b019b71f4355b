/** The file modes git knows, submodule links left out. `120000` is a symbolic link, its content the target. */
export type FileMode = '100644' | '100755' | '120000'

/** A file in memory. `path` is relative with `/`, in the lossless form of `pathFromBytes`. */
export interface FileEntry {
  readonly path: string
  readonly mode: FileMode
  readonly content: Uint8Array
}

/** A change to a tree, independent of what the tree holds now: the file is written whole, or it is gone. */
export type Edit =
  | { readonly kind: 'write'; readonly path: string; readonly mode: FileMode; readonly content: Uint8Array }
  | { readonly kind: 'delete'; readonly path: string }

/**
 * What a task hides: a file of tests whole, or `inline`, the test code alone of a source file, put in place of the test
 * code that the file holds at grading.
 */
export type HiddenEdit = Edit | InlineEdit

export interface InlineEdit {
  readonly kind: 'inline'
  readonly path: string
  /** Its pieces of test code, blank lines between them; empty = the file has none. */
  readonly content: Uint8Array
}

/** A unified diff as git writes it with `--binary --full-index`: bytes, since neither paths nor hunks need be UTF-8. */
export type Patch = Uint8Array

/** What a path is to the splitter. Only `source` belongs to the oracle and only `test` may be hidden. */
export type FileRole = 'source' | 'test' | 'docs' | 'ci' | 'other'
