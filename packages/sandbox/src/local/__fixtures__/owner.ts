// Opens a sandbox, says so, and waits to be killed.
import { createLocalSandbox } from '../index.ts'

const [stateDirectory = '', rootfs, image = '', run = ''] = process.argv.slice(2)
const provider = createLocalSandbox({ stateDirectory, rootfs: rootfs || undefined, environment: process.env })
const sandbox = await provider.open({ image, run, limits: { cpus: 1, memoryMb: 128, pids: 50 } })
void sandbox.exec({ argv: ['sh', '-c', `setsid sleep 600 & : ${run}; sleep 600`], timeoutMs: 600_000 })
setTimeout(() => process.stdout.write('open\n'), 300)
