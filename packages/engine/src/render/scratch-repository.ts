import { mkdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { gunzip } from 'node:zlib'
import {
  type Edit,
  type FileEntry,
  type FileMode,
  type ObjectId,
  pathFromBytes,
  pathToBytes,
  R2eError,
} from '@r2e/spec'
import { DIFF_ARGUMENTS, SNAPSHOT_ATTRIBUTES } from './diff-arguments.ts'
import { readTar } from './read-tar.ts'
import { runGit } from './run-git.ts'
import { makeScratchFolder } from './scratch-folder.ts'

/** A bare repository whose one commit is a snapshot; nothing of it is ever checked out. */
export interface ScratchRepository extends AsyncDisposable {
  readonly tree: ObjectId
  /** Applies a patch to the snapshot in the index, whole or not at all. */
  apply(patch: Uint8Array): Promise<AppliedPatch>
}

export type AppliedPatch =
  | { readonly ok: false; readonly reason: string }
  | {
      readonly ok: true
      /** The change as the grader's own `git diff` prints it. */
      readonly diff: Uint8Array
      readonly edits: readonly Edit[]
    }

/** @throws R2eError `archive_malformed` (fault user) */
export async function openScratchRepository(archive: Uint8Array, signal?: AbortSignal): Promise<ScratchRepository> {
  const directory = await makeScratchFolder()
  const close = () => rm(directory, { recursive: true, force: true })
  try {
    const git = (args: readonly string[], input?: Uint8Array) => run(args, { directory, input, signal })
    await git(['init', '-q', '--bare', '--template='])
    await mkdir(join(directory, 'info'), { recursive: true })
    await writeFile(join(directory, 'info', 'attributes'), `${SNAPSHOT_ATTRIBUTES}\n`)
    await git(['fast-import', '--quiet'], importStream(readTar(await unpack(archive))))
    const tree = (await git(['rev-parse', 'main^{tree}'])).toString().trim()
    return {
      tree,
      apply: (patch) => applyPatch({ directory, signal, tree }, patch),
      [Symbol.asyncDispose]: close,
    }
  } catch (error) {
    await close()
    throw error
  }
}

const UNPACKED_LIMIT = 2 ** 31

/** An archive of a foreign dataset may be anything; its size is bounded before it is in memory. */
function unpack(archive: Uint8Array): Promise<Uint8Array> {
  return promisify(gunzip)(archive, { maxOutputLength: UNPACKED_LIMIT })
}

interface Place {
  readonly directory: string
  readonly signal: AbortSignal | undefined
  readonly tree: ObjectId
}

async function applyPatch({ directory, signal, tree }: Place, patch: Uint8Array): Promise<AppliedPatch> {
  const git = (args: readonly string[]) => run(args, { directory, signal })
  await git(['read-tree', 'main'])
  const applied = await runGit(['apply', '--cached', '--binary', '--whitespace=nowarn', '-'], {
    directory,
    input: patch,
    signal,
  })
  if (applied.code !== 0) return { ok: false, reason: applied.stderr.trim() || `git apply exited ${applied.code}` }
  const diff = await git([...DIFF_ARGUMENTS, tree])
  const raw = await git(['diff', '--cached', '--raw', '-z', '--no-renames', '--no-abbrev', tree])
  const edits: Edit[] = []
  for (const change of parseRaw(raw)) {
    if (change.id === undefined) edits.push({ kind: 'delete', path: change.path })
    else edits.push({ kind: 'write', ...change, content: await git(['cat-file', 'blob', change.id]) })
  }
  return { ok: true, diff, edits: edits.map(withoutId) }
}

function withoutId(edit: Edit): Edit {
  if (edit.kind === 'delete') return edit
  return { kind: 'write', path: edit.path, mode: edit.mode, content: edit.content }
}

interface RawChange {
  readonly path: string
  readonly mode: FileMode
  /** undefined where the file is gone. */
  readonly id: ObjectId | undefined
}

/** `:100644 100755 <old> <new> M\0path\0` … */
function parseRaw(raw: Buffer): RawChange[] {
  const fields = splitNul(raw)
  const changes: RawChange[] = []
  for (let i = 0; i + 1 < fields.length; i += 2) {
    const [, mode, , id, status] = fields[i]!.toString('latin1').split(' ')
    const path = pathFromBytes(fields[i + 1]!)
    if (mode === '160000') continue
    changes.push({ path, mode: mode as FileMode, id: status === 'D' ? undefined : id! })
  }
  return changes
}

function splitNul(bytes: Buffer): Buffer[] {
  const fields: Buffer[] = []
  for (let start = 0; start < bytes.length; ) {
    const end = bytes.indexOf(0, start)
    fields.push(bytes.subarray(start, end))
    start = end + 1
  }
  return fields
}

function importStream(files: readonly FileEntry[]): Uint8Array {
  const chunks: Uint8Array[] = [
    Buffer.from('commit refs/heads/main\ncommitter r2e <r2e@localhost> 0 +0000\ndata 4\nbase\n'),
  ]
  for (const file of files) {
    chunks.push(Buffer.from(`M ${file.mode} inline ${quotePath(file.path)}\ndata ${file.content.length}\n`))
    chunks.push(file.content, Buffer.from('\n'))
  }
  return Buffer.concat(chunks)
}

function quotePath(path: string): string {
  const octal = [...pathToBytes(path)].map((byte) =>
    byte < 0x20 || byte > 0x7e || byte === 0x22 || byte === 0x5c
      ? `\\${byte.toString(8).padStart(3, '0')}`
      : String.fromCharCode(byte),
  )
  return `"${octal.join('')}"`
}

async function run(args: readonly string[], options: Parameters<typeof runGit>[1]): Promise<Buffer> {
  const result = await runGit(args, options)
  if (result.code === 0) return result.stdout
  throw new R2eError('git_failed', 'bug', `git ${args[0]}: ${result.stderr.trim() || `exit ${result.code}`}`)
}
