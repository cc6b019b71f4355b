import { type FileMode, pathFromBytes, pathToBytes, R2eError, type Tree, type TreeEntry } from '@r2e/spec'
import { type Git, readGit } from './git-process.ts'
import type { ObjectReader } from './object-reader.ts'
import { parseMode } from './parse-changes.ts'

interface Listing {
  readonly entries: readonly TreeEntry[]
  readonly submodules: readonly string[]
}

export function createTree(git: Git, reader: ObjectReader, commit: string): Tree {
  let listing: Promise<Listing> | undefined
  const list = () => {
    listing ??= readListing(git, commit)
    return listing
  }
  const read = async (path: string) => {
    const name = path.includes('\n') ? await blobAt(await list(), path) : nameOf(commit, path)
    const found = name === undefined ? undefined : await reader.read(name)
    return found?.type === 'blob' ? found.content : undefined
  }
  return {
    commit,
    entries: async () => (await list()).entries,
    submodules: async () => (await list()).submodules,
    read,
    async readAll(paths) {
      const contents = await Promise.all(paths.map(read))
      return new Map(paths.flatMap((path, index) => (contents[index] === undefined ? [] : [[path, contents[index]]])))
    },
  }
}

async function readListing(git: Git, commit: string): Promise<Listing> {
  const output = await readGit(git, ['ls-tree', '-r', '-z', '-l', '--full-tree', commit])
  const entries: TreeEntry[] = []
  const submodules: string[] = []
  for (let at = 0; at < output.length; ) {
    const tab = output.indexOf(0x09, at)
    const end = output.indexOf(0, tab)
    const [mode = '', , blob = '', size = ''] = output.toString('latin1', at, tab).split(/ +/)
    const path = checkPath(pathFromBytes(output.subarray(tab + 1, end)), commit)
    if (mode === '160000') submodules.push(path)
    else entries.push({ path, mode: parseMode(mode) as FileMode, blob, size: Number(size) })
    at = end + 1
  }
  return { entries, submodules }
}

/** A path that would be written outside a work tree, or into git's own folder, is an attack and not a file. */
function checkPath(path: string, commit: string): string {
  const isUnsafe = path.split('/').some((part) => /^(|\.|\.\.|\.git)$/i.test(part))
  if (isUnsafe)
    throw new R2eError('unsafe_path', 'bug', `commit ${commit} holds an unsafe path: ${JSON.stringify(path)}`)
  return path
}

async function blobAt({ entries }: Listing, path: string): Promise<string | undefined> {
  return entries.find((entry) => entry.path === path)?.blob
}

function nameOf(commit: string, path: string): Uint8Array | undefined {
  const isPath = path !== '' && !path.includes('\0') && !/^\.{0,2}\//.test(path) && !path.endsWith('/')
  return isPath ? pathToBytes(`${commit}:${path}`) : undefined
}
