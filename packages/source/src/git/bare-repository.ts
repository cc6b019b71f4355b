import { randomUUID } from 'node:crypto'
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'

export type ObjectFormat = 'sha1' | 'sha256'

/** A bare repository of our own, so that no configuration, hook or attribute of the source has any effect. */
export interface BareRepository {
  readonly directory: string
  readonly objectFormat: ObjectFormat
  /** Content of `HEAD`, such as `ref: refs/heads/main`. */
  readonly head: string
  /** Object folders of other repositories to read from. */
  readonly alternates?: readonly string[]
}

/** Attributes of a tree never change the bytes of a file or of a diff. */
const ATTRIBUTES = '* -text -ident -filter -working-tree-encoding !diff !export-ignore !export-subst\n'

/** Writes the repository, file by file and each at once, so that processes doing the same never see a broken one. */
export async function writeBareRepository(repository: BareRepository): Promise<void> {
  const { directory, objectFormat, head, alternates } = repository
  await mkdir(join(directory, 'objects', 'info'), { recursive: true })
  await mkdir(join(directory, 'refs'), { recursive: true })
  await writeWhole(join(directory, 'config'), renderConfig(objectFormat))
  await writeWhole(join(directory, 'info', 'attributes'), ATTRIBUTES)
  if (alternates !== undefined)
    await writeWhole(join(directory, 'objects', 'info', 'alternates'), `${alternates.map(quote).join('\n')}\n`)
  await writeWhole(join(directory, 'HEAD'), `${head}\n`)
}

/** Replaces a file at once, or leaves it alone when it holds the same bytes. */
export async function writeWhole(path: string, content: string | Uint8Array): Promise<boolean> {
  const bytes = Buffer.from(content)
  const before = await readFile(path).catch(() => undefined)
  if (before?.equals(bytes)) return false
  await mkdir(dirname(path), { recursive: true })
  const temporary = `${path}.${randomUUID()}~`
  await writeFile(temporary, bytes)
  await rename(temporary, path)
  return true
}

function renderConfig(objectFormat: ObjectFormat): string {
  const format = objectFormat === 'sha1' ? '' : `[extensions]\n\tobjectFormat = ${objectFormat}\n`
  return `[core]
	repositoryFormatVersion = ${objectFormat === 'sha1' ? 0 : 1}
	bare = true
	logAllRefUpdates = false
	commitGraph = false
	fsmonitor = false
	hooksPath = /dev/null
	attributesFile = /dev/null
[gc]
	auto = 0
[maintenance]
	auto = false
${format}`
}

/** In the quoting of git, so that any path fits on a line. */
function quote(path: string): string {
  let quoted = ''
  for (const byte of Buffer.from(path)) {
    const plain = byte >= 0x20 && byte < 0x7f && byte !== 0x22 && byte !== 0x5c
    quoted += plain ? String.fromCharCode(byte) : `\\${byte.toString(8).padStart(3, '0')}`
  }
  return `"${quoted}"`
}
