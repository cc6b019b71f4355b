import { execFileSync } from 'node:child_process'
import { chmodSync, copyFileSync, mkdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { temporaryFolder } from './__fixtures__/local-bench.ts'

/** Nobody's on a usual machine, so it has no subordinate ids. */
const UID = '54321'
const checkout = fileURLToPath(new URL('../../../..', import.meta.url))
const folder = temporaryFolder('r2e-user-')
const reason = whyNot()

/** Only root can become another user; as a normal user the other test files are this proof already. */
function whyNot(): string | undefined {
  if (process.geteuid?.() !== 0) return 'not root: the other test files run as a normal user already'
  try {
    asUser(['ls', join(checkout, 'packages/sandbox/src/local')])
    asUser(['unshare', '--user', '--map-root-user', 'true'])
    return undefined
  } catch (error) {
    return `another user cannot: ${String(error).split('\n')[0]}`
  }
}

function asUser(argv: readonly string[]): string {
  const env = { PATH: '/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin', HOME: join(folder, 'home'), TMPDIR: folder }
  const ids = ['--reuid', UID, '--regid', UID, '--clear-groups', '--', ...argv]
  return execFileSync('setpriv', ids, {
    cwd: checkout,
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
    timeout: 590_000,
    killSignal: 'SIGKILL',
  }).toString()
}

describe.skipIf(reason)(`normal user${reason ? ` (${reason})` : ''}`, () => {
  it('passes the whole suite, without control groups and with one user id', { timeout: 600_000 }, () => {
    mkdirSync(join(folder, 'home'))
    chmodSync(join(folder, 'home'), 0o777)
    chmodSync(folder, 0o777)
    // The folder of the running Node may be closed to others.
    const node = join(folder, 'node')
    copyFileSync(process.execPath, node)
    chmodSync(node, 0o755)
    const vitest = join(checkout, 'node_modules/vitest/vitest.mjs')
    const files = ['local-sandbox', 'confinement', 'layers', 'lifetime'].map(
      (name) => `packages/sandbox/src/local/${name}.test.ts`,
    )
    const said = asUser([node, vitest, 'run', '--configLoader=native', '--no-color', ...files])
    expect(said).toMatch(/^(\d{2,}) passed, 0 failed/m)
    expect(statSync(folder).isDirectory()).toBe(true)
  })
})
