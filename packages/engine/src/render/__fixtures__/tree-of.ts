import { type FileMode, pathFromBytes, pathToBytes, type Tree, type TreeEntry } from '@r2e/spec'
import { runGitBytes } from '@r2e/testing'

/** The tree of a commit, read by real git, one process a file: for small repositories. */
export function treeOf(directory: string, commit: string): Tree {
  const rows = async () => parseRows(await runGitBytes({ directory }, 'ls-tree', '-r', '-z', '-l', commit))
  const read = async (path: string) => {
    const entry = (await rows()).find((row) => row.path === path && row.mode !== '160000')
    return entry && (await runGitBytes({ directory }, 'cat-file', 'blob', entry.blob))
  }
  return {
    commit,
    entries: async () => (await rows()).filter((row): row is TreeEntry => row.mode !== '160000'),
    submodules: async () => (await rows()).filter((row) => row.mode === '160000').map((row) => row.path),
    read,
    readAll: async (paths) => {
      const contents = new Map<string, Uint8Array>()
      for (const path of paths) {
        const content = await read(path)
        if (content) contents.set(path, content)
      }
      return contents
    },
  }
}

interface Row {
  readonly path: string
  readonly mode: FileMode | '160000'
  readonly blob: string
  readonly size: number
}

function parseRows(output: Buffer): Row[] {
  const rows: Row[] = []
  for (let start = 0; start < output.length; ) {
    const tab = output.indexOf('\t', start)
    const end = output.indexOf(0, tab)
    const [mode, , blob, size] = output.toString('latin1', start, tab).split(/ +/)
    const path = pathFromBytes(output.subarray(tab + 1, end))
    rows.push({ path, mode: mode as Row['mode'], blob: blob!, size: Number(size) || 0 })
    start = end + 1
  }
  return rows
}

/** A path of bytes that are not UTF-8. */
export const ODD_PATH = pathFromBytes(Uint8Array.of(0x66, 0xff, 0x2e, 0x74, 0x78, 0x74))
export const ODD_BYTES = Buffer.from(pathToBytes(ODD_PATH)).toString('latin1')
