import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { buildRepository, PIPELINE_HISTORY } from '@r2e/testing'
import { expect, it } from 'vitest'
import { folder } from '../__fixtures__/spawn-cli.ts'

const main = fileURLToPath(new URL('../main.ts', import.meta.url))
const script = ['/usr/bin/script', '/bin/script'].find(existsSync)

/** What the program draws on a terminal of this size. */
async function onTerminal(size: string, ...words: string[]): Promise<string> {
  const cwd = await folder()
  await buildRepository(join(cwd, 'demo'), PIPELINE_HISTORY)
  const run = [
    '--conditions=@r2e/source',
    main,
    'generate',
    '--repo',
    './demo',
    '--pipeline',
    'pr_diff',
    '--out',
    './out',
  ]
  const quoted = [process.execPath, ...run, ...words].map((word) => `'${word}'`).join(' ')
  const env = { PATH: process.env.PATH, HOME: cwd, TERM: 'xterm' }
  const { stdout } = await promisify(execFile)(script!, ['-qec', `stty ${size}; ${quoted}`, '/dev/null'], { cwd, env })
  return stdout
}

it.skipIf(!script)(
  'draws progress on a terminal, redrawn in place and in colour, and plain lines with --no-ui --no-color',
  async () => {
    const drawn = await onTerminal('cols 100 rows 30', '--limit', '5')
    expect(drawn).toMatch(/emitted 0\/5 · skipped \d · failed 0 · candidates \d\/\d · \d s/)
    expect(drawn).toContain('\u001b[1A')
    expect(drawn).toContain('\u001b[32memitted\u001b[39m local__demo-5 "Fix wrong words of an empty text"\r\n')
    expect(drawn).toMatch(/emitted\u001b\[39m +2\r$/m)
    const plain = await onTerminal('cols 100 rows 30', '--no-ui', '--no-color')
    expect(plain).not.toContain('\u001b')
    expect(plain).toContain('emitted local__demo-5')
  },
)

it.skipIf(!script)('draws plain lines on a terminal that says it is 0 columns wide', async () => {
  expect(await onTerminal('cols 0 rows 0', '--no-color')).not.toContain('\u001b')
})
