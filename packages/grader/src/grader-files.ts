import { readdir, readFile } from 'node:fs/promises'
import { type Digest, digestOf, type FileEntry } from '@r2e/spec'

const folder = new URL('../files/', import.meta.url)

/**
 * What a task's `tests/` folder needs of ours, sorted by path: `test.sh` (executable), `grade.py`, reporters. Plans,
 * lists and the grader's copies of the project's files are the task's own.
 */
export async function graderFiles(): Promise<readonly FileEntry[]> {
  const names = (await readdir(folder)).filter((name) => /\.(?:sh|py)$/.test(name)).sort()
  return Promise.all(
    names.map(async (name): Promise<FileEntry> => {
      const mode = name.endsWith('.sh') ? '100755' : '100644'
      return { path: name, mode, content: await readFile(new URL(name, folder)) }
    }),
  )
}

/** Identity of the grader: changes with any byte of its files. */
export async function graderVersion(): Promise<Digest> {
  const files = await graderFiles()
  return digestOf(files.map(({ path, content }) => `${path}\0${digestOf(content)}\n`).join(''))
}
