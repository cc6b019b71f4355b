import { readFile, realpath, stat } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { userError } from '@r2e/spec'

/** The folders of a repository on disk; they differ for a linked work tree. */
export interface FoundRepository {
  /** Holds `HEAD`. */
  readonly gitDirectory: string
  /** Holds `objects`, `refs` and `config`. */
  readonly commonDirectory: string
  /** Content of `HEAD`. */
  readonly head: string
}

const HEAD = /^(ref: refs\/[^\0\n]+|[0-9a-f]{40}|[0-9a-f]{64})$/

/** Finds the repository at a folder: a work tree, a linked work tree, a submodule or a bare repository. */
export async function findRepository(path: string): Promise<FoundRepository> {
  const kind = await kindOf(path)
  if (kind === undefined)
    throw userError('repo_not_found', `there is no folder ${path}`, {
      fix: 'Give the path of an existing folder, a git URL, or owner/name for GitHub.',
    })
  const inner = join(path, '.git')
  const found = (await openDirectory(await followGitFile(inner))) ?? (await openDirectory(path))
  if (found !== undefined) return found
  throw userError('not_a_repository', `not a git repository: ${path}`, { fix: await adviceFor(path) })
}

async function openDirectory(directory: string): Promise<FoundRepository | undefined> {
  const head = (await readText(join(directory, 'HEAD')))?.trim()
  if (head === undefined || !HEAD.test(head)) return undefined
  const common = (await readText(join(directory, 'commondir')))?.trim()
  const commonDirectory = await realpath(resolve(directory, common ?? '.')).catch(() => undefined)
  if (commonDirectory === undefined) return undefined
  const isRepository = (await kindOf(join(commonDirectory, 'objects'))) === 'directory'
  return isRepository ? { gitDirectory: await realpath(directory), commonDirectory, head } : undefined
}

/** Linked work trees and submodules have a file `.git` that names the folder. */
async function followGitFile(path: string): Promise<string> {
  if ((await kindOf(path)) !== 'file') return path
  const [, target] = /^gitdir: (.+)$/m.exec((await readText(path)) ?? '') ?? []
  return target === undefined ? path : resolve(dirname(path), target)
}

async function adviceFor(path: string): Promise<string> {
  for (let folder = dirname(path); folder !== dirname(folder); folder = dirname(folder))
    if (await openDirectory(await followGitFile(join(folder, '.git'))))
      return `It lies inside the repository ${folder}; give that path.`
  return 'Give a folder with a work tree or a bare repository, or a git URL.'
}

async function kindOf(path: string): Promise<'file' | 'directory' | undefined> {
  const found = await stat(path).catch(() => undefined)
  if (found?.isDirectory()) return 'directory'
  return found?.isFile() ? 'file' : undefined
}

async function readText(path: string): Promise<string | undefined> {
  return (await kindOf(path)) === 'file' ? readFile(path, 'utf8').catch(() => undefined) : undefined
}
