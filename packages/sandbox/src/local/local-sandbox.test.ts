import { once } from 'node:events'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { sandboxSuite } from '@r2e/testing'
import { afterAll, describe, it } from 'vitest'
import { unpackImage } from './__fixtures__/image-root.ts'
import { createLocalSandbox } from './index.ts'

const stateDirectory = mkdtempSync(join(tmpdir(), 'r2e-local-'))
const server = createServer((socket) => socket.end()).listen(0, '127.0.0.1')
await once(server, 'listening')
const address = server.address()
afterAll(() => {
  server.close()
  rmSync(stateDirectory, { recursive: true, force: true })
})

/** Folders, mounts and processes that name the state directory or the run. */
async function leftovers(run: string): Promise<number> {
  const folders = readdirSync(join(stateDirectory, 's'))
  const mounts = readFileSync('/proc/self/mountinfo', 'utf8')
    .split('\n')
    .filter((line) => line.includes(stateDirectory))
  const processes = readdirSync('/proc').filter((pid) => {
    try {
      return /^\d+$/.test(pid) && readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes(run)
    } catch {
      return false
    }
  })
  return folders.length + mounts.length + processes.filter((pid) => Number(pid) !== process.pid).length
}

const users = process.geteuid?.() === 0
const common = {
  baseImage: 'any',
  users,
  network: typeof address === 'object' && address ? { host: '127.0.0.1', port: address.port } : undefined,
  leftovers,
}
const owner = (rootfs: string): string[] => [
  process.execPath,
  '--conditions=@r2e/source',
  fileURLToPath(new URL('__fixtures__/owner.ts', import.meta.url)),
  stateDirectory,
  rootfs,
]

await sandboxSuite({
  name: "local sandbox on the host's own tree",
  create: () => createLocalSandbox({ stateDirectory, environment: process.env }),
  owner: owner(''),
  ...common,
})

const rootfs = unpackImage(process.env.R2E_TEST_IMAGE ?? 'lab/python')
if (rootfs)
  await sandboxSuite({
    name: 'local sandbox on an unpacked image',
    create: () => createLocalSandbox({ stateDirectory, rootfs, environment: process.env }),
    owner: owner(rootfs),
    ...common,
  })
else describe('local sandbox on an unpacked image', () => it.skip('needs a Docker engine with the image', () => {}))
