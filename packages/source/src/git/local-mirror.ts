import { randomUUID } from 'node:crypto'
import { mkdir, readdir, readFile, rename, symlink } from 'node:fs/promises'
import { join } from 'node:path'
import { sha256Hex, userError } from '@r2e/spec'
import type { LocalAddress } from './address.ts'
import { type ObjectFormat, writeBareRepository, writeWhole } from './bare-repository.ts'
import { type FoundRepository, findRepository } from './find-repository.ts'
import { type Git, readGit, runGit } from './git-process.ts'

/**
 * Our view of a repository on disk: its objects are borrowed, its refs are copied, its configuration is only looked at.
 * Nothing in it is written, run or locked. Answers our bare repository's folder.
 */
export async function openLocalMirror(address: LocalAddress, cacheDirectory: string, git: Omit<Git, 'directory'>) {
  const found = await findRepository(address.path)
  const objectFormat = await checkSource(found, { ...git, directory: '/' }, address)
  const key = sha256Hex(found.gitDirectory).slice(0, 16)
  const directory = join(cacheDirectory, 'git', `${address.name}-${key}.git`)
  const alternates = [join(found.commonDirectory, 'objects')]
  await writeBareRepository({ directory, objectFormat, head: found.head, alternates })
  await copyRefs(found, { ...git, directory }, objectFormat)
  return directory
}

/** @throws R2eError `shallow_repository`, `partial_clone`, `unsupported_repository` */
async function checkSource(found: FoundRepository, git: Git, address: LocalAddress): Promise<ObjectFormat> {
  const shallow = await readFile(join(found.commonDirectory, 'shallow')).catch(() => undefined)
  if (shallow !== undefined && shallow.length > 0)
    throw userError('shallow_repository', `${address.path} is a shallow clone: its history is cut off`, {
      fix: `Run \`git -C ${address.path} fetch --unshallow\`, or give the URL it was cloned from.`,
    })
  const config = await readConfig(join(found.commonDirectory, 'config'), git)
  if (config.some((line) => /^extensions\.partialclone\n|^remote\..*\.promisor\n(true|1|yes|on)$/is.test(line)))
    throw userError('partial_clone', `${address.path} is a partial clone: it lacks files of its history`, {
      fix: 'Clone it again without --filter, or give the URL it was cloned from.',
    })
  const names = await readdir(found.commonDirectory)
  if (names.includes('reftable'))
    throw userError(
      'unsupported_repository',
      `${address.path} keeps its refs in a reftable, which is not supported yet`,
      {
        fix: 'Convert it with `git refs migrate --ref-format=files`, or make a clone with --ref-format=files.',
      },
    )
  return config.includes('extensions.objectformat\nsha256') ? 'sha256' : 'sha1'
}

/** Each line is `key`, newline, value. Included files are not read. */
async function readConfig(path: string, git: Git): Promise<string[]> {
  const listed = await runGit(git, ['config', `--file=${path}`, '--no-includes', '--list', '-z'])
  return listed.code === 0 ? listed.stdout.toString().split('\0') : []
}

/**
 * git lists the refs from a repository of ours whose ref store is a link to the source's. They go into one file that is
 * replaced at once, so a reader sees all old refs or all new ones. Refs to objects that do not exist are left out.
 */
async function copyRefs(found: FoundRepository, git: Git, objectFormat: ObjectFormat): Promise<void> {
  const view = join(git.directory, 'r2e-source')
  await mkdir(view, { recursive: true })
  for (const name of ['refs', 'packed-refs']) await link(join(found.commonDirectory, name), join(view, name))
  await writeBareRepository({ directory: view, objectFormat, head: found.head })
  const listed = await readGit({ ...git, directory: view }, ['for-each-ref', '--format=%(objectname) %(refname)'])
  const lines = listed
    .toString('latin1')
    .split('\n')
    .filter((line) => line !== '' && !/ refs\/replace\//.test(line))
  const ids = lines.map((line) => line.slice(0, line.indexOf(' ')))
  const checked = await readGit(git, ['cat-file', '--batch-check=%(objecttype)'], { input: `${ids.join('\n')}\n` })
  const types = checked.toString().split('\n')
  const present = lines.filter((_, index) => !types[index]!.endsWith(' missing'))
  await writeWhole(
    join(git.directory, 'packed-refs'),
    Buffer.from(present.map((line) => `${line}\n`).join(''), 'latin1'),
  )
}

async function link(target: string, path: string): Promise<void> {
  const temporary = `${path}.${randomUUID()}~`
  await symlink(target, temporary)
  await rename(temporary, path)
}
