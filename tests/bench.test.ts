import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, expect, it } from 'vitest'

const script = fileURLToPath(new URL('../scripts/bench.mjs', import.meta.url))
const built = existsSync(new URL('../apps/cli/dist/main.js', import.meta.url))
const folder = mkdtempSync(join(tmpdir(), 'r2e-bench-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

function bench(...words: string[]) {
  return spawnSync(process.execPath, [script, ...words], {
    cwd: folder,
    encoding: 'utf8',
    env: { PATH: process.env.PATH },
  })
}

// The figures are for a quiet machine: here only that they are taken, held to their floors, and written down.
it.skipIf(!built)('measures the start of the program beside bare node, and exits by the floors (needs a build)', () => {
  const { status, stdout } = bench('--only', 'start', '--rounds', '1', '--json', 'out.json')
  expect(stdout).toMatch(/--version: r2e [\d.]+ ms, node -e 0 [\d.]+ ms, ratio [\d.]+× \(n=1\)/)
  expect(stdout).toMatch(/--help: .*\n +ratio [\d.]+×: \S.* \(floor ≤ 4×, aim ≤ 2.5×\)/)
  expect(status).toBe(stdout.includes('MISSED') ? 1 : 0)
  const [result] = JSON.parse(readFileSync(join(folder, 'out.json'), 'utf8'))
  expect(result.rows.map((row: { ratio: number }) => row.ratio > 0)).toEqual([true, true])
})

it('refuses a bench that does not exist, and a count that is none, with its usage', () => {
  for (const words of [['--only', 'speed'], ['--rounds', '0'], ['--fast']]) {
    const { status, stderr } = bench(...words)
    expect(status).toBe(2)
    expect(stderr).toContain(words[0])
    expect(stderr).toContain('usage: npm run bench')
  }
})
