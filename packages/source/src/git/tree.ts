import { type FileMode, pathFromBytes, pathToBytes, R2eError, type Tree, type TreeEntry } from '@r2e/spec'
import { type Git, readGit } from './git-process.ts'
import type { ObjectReader } from './object-reader.ts'
import { parseMode } from './parse-changes.ts'

interface Listing {
  readonly files: ReadonlyMap<string, TreeEntry>
  readonly submodules: readonly string[]
}

export function createTree(git: Git, reader: ObjectReader, commit: string): Tree {
  let listing: Promise<Listing> | undefined
  const list = () => {
    listing ??= readListing(git, commit)
    return listing
  }
  const read = async (path: string) => {
    if (listing === undefined && canName(path)) {
      const found = await reader.read(pathToBytes(`${commit}:${path}`))
      if (found !== undefined) return found.type === 'blob' ? found.content : undefined
    }
    // To git, a path that is not there and a file whose object is missing are the same.
    const entry = (await list()).files.get(path)
    if (entry === undefined) return undefined
    const found = await reader.read(entry.blob)
    if (found === undefined) throw missingObject(commit, entry)
    return found.content
  }
  return {
    commit,
    entries: async () => [...(await list()).files.values()],
    submodules: async () => (await list()).submodules,
    read,
    async readAll(paths) {
      if (paths.length >= MANY) await list()
      const contents = await Promise.all(paths.map(read))
      return new Map(paths.flatMap((path, index) => (contents[index] === undefined ? [] : [[path, contents[index]]])))
    },
  }
}

/** From here on one listing is cheaper than to find each path. */
const MANY = 16

async function readListing(git: Git, commit: string): Promise<Listing> {
  const output = await readGit(git, ['ls-tree', '-r', '-z', '-l', '--full-tree', commit])
  const files = new Map<string, TreeEntry>()
  const submodules: string[] = []
  for (let at = 0; at < output.length; ) {
    const tab = output.indexOf(0x09, at)
    const end = output.indexOf(0, tab)
    const [mode = '', , blob = '', size = ''] = output.toString('latin1', at, tab).split(/ +/)
    const path = checkPath(pathFromBytes(output.subarray(tab + 1, end)), commit)
    if (mode === '160000') submodules.push(path)
    // Of a missing object git says BAD; reading it fails and tells why.
    else files.set(path, { path, mode: parseMode(mode) as FileMode, blob, size: Number(size) || 0 })
    at = end + 1
  }
  return { files, submodules }
}

/** A path that would be written outside a work tree, or into git's own folder, is an attack and not a file. */
function checkPath(path: string, commit: string): string {
  const isUnsafe = path.split('/').some((part) => /^(|\.|\.\.|\.git)$/i.test(part))
  if (isUnsafe)
    throw new R2eError('unsafe_path', 'bug', `commit ${commit} holds an unsafe path: ${JSON.stringify(path)}`)
  return path
}

/** Whether git finds the path in `commit:path` as it stands, on one line. */
function canName(path: string): boolean {
  return path !== '' && !/[\0\n]|^\.{0,2}\/|\/$/.test(path)
}

function missingObject(commit: string, { path, blob }: TreeEntry): R2eError {
  const message = `the repository lacks the content of ${JSON.stringify(path)} in commit ${commit} (object ${blob})`
  return new R2eError('missing_object', 'bug', message, { fix: 'Check the repository with `git fsck`.' })
}
