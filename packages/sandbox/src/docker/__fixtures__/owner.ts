// Opens a sandbox, says so, and waits to be killed.
import { createDockerSandbox } from '../index.ts'

const [image = '', run = ''] = process.argv.slice(2)
const sandbox = await createDockerSandbox().open({ image, run, limits: { cpus: 1, memoryMb: 128, pids: 50 } })
void sandbox.exec({ argv: ['sh', '-c', 'setsid sleep 600 & sleep 600'], timeoutMs: 600_000 })
setTimeout(() => process.stdout.write('open\n'), 300)
