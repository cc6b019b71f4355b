import { createServer } from 'node:net'
import { fileURLToPath } from 'node:url'
import { sandboxSuite } from '@r2e/testing'
import Docker from 'dockerode'
import { afterAll } from 'vitest'
import { createDockerSandbox } from './index.ts'

const docker = new Docker()
const server = createServer((socket) => socket.end()).listen(0, '0.0.0.0')
afterAll(() => void server.close())

/** The address of this machine as containers see it, where the engine runs on it. */
async function gateway(): Promise<string | undefined> {
  try {
    const { IPAM } = await docker.getNetwork('bridge').inspect()
    return IPAM?.Config?.[0]?.Gateway
  } catch {
    return undefined
  }
}

const host = await gateway()
const address = server.address()
await sandboxSuite({
  name: 'docker sandbox',
  create: () => createDockerSandbox(),
  baseImage: process.env.R2E_TEST_IMAGE ?? 'lab/python',
  network: host && typeof address === 'object' && address ? { host, port: address.port } : undefined,
  owner: [
    process.execPath,
    '--conditions=@r2e/source',
    fileURLToPath(new URL('__fixtures__/owner.ts', import.meta.url)),
  ],
  leftovers: async (run) => {
    const containers = await docker.listContainers({ all: true })
    return containers.filter(({ Labels, Command }) => Labels['r2e.run'] === run || Command.includes(run)).length
  },
  required: process.env.R2E_REQUIRE_DOCKER === '1',
})
