import { type Digest, digestOf, type FileEntry, pathToBytes, sha256Hex } from '@r2e/spec'
import { type IgnoreRules, isIgnored, parseIgnoreRules } from './ignore-rules.ts'
import { comparePaths } from './path-order.ts'

const ROOT_FILES = new Set(['task.toml', 'instruction.md', 'README.md', 'trajectory.json'])
const FOLDERS = /^(environment|tests|solution|steps)\//
const IGNORING = /^(tests|solution|steps\/[^/]+\/(tests|solution))\/(.*\/)?\.harborignore$/
/** Where a task has no `.gitignore` of its own. */
const DEFAULT_IGNORED = '__pycache__/\n*.pyc\n.DS_Store\n*.swp\n*.swo\n*~\n'

/**
 * Harbor's content digest of a task (Harbor 0.25): paths and contents of the files it reads, without what
 * `.harborignore` files and the task's `.gitignore` leave out. A link counts as the file it leads to.
 */
export function harborDigest(files: readonly FileEntry[]): Digest {
  const root = files.find((file) => file.path === '.gitignore')
  const ignored = parseIgnoreRules('', root ? text(root) : DEFAULT_IGNORED)
  const uploads = files.filter((file) => IGNORING.test(file.path)).map((file) => rulesOf(file))
  const byPath = new Map(files.map((file) => [file.path, file]))
  const lines = files
    .filter((file) => ROOT_FILES.has(file.path) || FOLDERS.test(file.path))
    .filter((file) => !file.path.endsWith('/.harborignore'))
    .filter((file) => !isIgnored(file.path, [ignored]) && !isIgnored(file.path, uploads))
    .sort((a, b) => comparePaths(a.path, b.path))
    .map((file) => ({ path: file.path, target: follow(file, byPath) }))
    .filter((line) => line.target !== undefined)
    .map(({ path, target }) => Buffer.concat([pathToBytes(path), Buffer.from(`\0${sha256Hex(target!.content)}\n`)]))
  return digestOf(Buffer.concat(lines))
}

/** Harbor's digest of a dataset of local tasks. */
export function harborDatasetDigest(tasks: readonly Digest[]): Digest {
  const hex = tasks.map((digest) => digest.slice('sha256:'.length)).sort()
  return digestOf(hex.join(','))
}

function rulesOf(file: FileEntry): IgnoreRules {
  return parseIgnoreRules(file.path.slice(0, -'.harborignore'.length), text(file))
}

function text(file: FileEntry): string {
  return new TextDecoder().decode(file.content)
}

function follow(file: FileEntry, byPath: ReadonlyMap<string, FileEntry>, depth = 0): FileEntry | undefined {
  if (file.mode !== '120000') return file
  const folder = file.path.split('/').slice(0, -1)
  const target = byPath.get(joinPath(folder, text(file)))
  return target && depth < 40 ? follow(target, byPath, depth + 1) : undefined
}

function joinPath(folder: readonly string[], relative: string): string {
  const parts = [...folder]
  for (const part of relative.split('/')) {
    if (part === '..') parts.pop()
    else if (part !== '' && part !== '.') parts.push(part)
  }
  return parts.join('/')
}
