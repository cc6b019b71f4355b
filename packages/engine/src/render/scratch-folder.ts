import { mkdtemp, readdir, readlink, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startTime } from '../journal/process-lock.ts'

const PREFIX = 'r2e-scratch-'

/** A new temporary folder that names its process; those that killed processes left behind go first. */
export async function makeScratchFolder(): Promise<string> {
  const space = await pidNamespace()
  for (const name of await readdir(tmpdir()).catch(() => []))
    if (await isAbandoned(name, space)) await rm(join(tmpdir(), name), { recursive: true, force: true })
  return mkdtemp(join(tmpdir(), `${PREFIX}${space}.${process.pid}.${await startTime(process.pid)}.`))
}

/** A process of another container cannot be seen, so its folder stays; so does one on a system that tells no start. */
async function isAbandoned(name: string, space: string): Promise<boolean> {
  if (!name.startsWith(PREFIX)) return false
  const [owner, pid, start] = name.slice(PREFIX.length).split('.')
  if (!pid || !start || owner !== space) return false
  return (await startTime(Number(pid))) !== start
}

async function pidNamespace(): Promise<string> {
  return (await readlink('/proc/self/ns/pid').catch(() => '0')).replace(/\D/g, '')
}
