import { execFileSync, spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, expect, it } from 'vitest'
import { writeFiles } from './__fixtures__/make-task.ts'

const files = fileURLToPath(new URL('../files/', import.meta.url))
const root = mkdtempSync(join(tmpdir(), 'r2e-node-'))
afterAll(() => rmSync(root, { recursive: true, force: true }))

const uses = `const { test, describe } = require('node:test')\n`

await writeFiles(root, {
  'package.json': '{}',
  'whole.test.js': `${uses}test('a', () => {})\ndescribe('d', () => { test('b', () => {}) })\n`,
  'first.test.js': `${uses}test('a', () => process.exit(0))\ntest('b', () => {})\n`,
  'later.test.js': `${uses}test('a', () => {})\ntest('b', async () => {\n  await new Promise((done) => setTimeout(done, 100))\n  process.exit(0)\n})\n`,
  'nested.test.js': `${uses}describe('d', () => { test('a', () => process.exit(0)) })\n`,
  'helps.test.js': 'exports.helps = () => {}\n',
})

it('a file of node:test whose process exits with 0 inside a test is unloaded, and one without tests is not [J11]', () => {
  const report = join(root, 'report.jsonl')
  const reporter = join(files, 'reporters/node_events.mjs')
  const names = ['whole', 'first', 'later', 'nested', 'helps'].map((name) => `${name}.test.js`)
  const words = ['--test', `--test-reporter=${reporter}`, `--test-reporter-destination=${report}`, ...names]
  const { NODE_OPTIONS: _options, ...env } = process.env
  spawnSync(process.execPath, words, { cwd: root, env, timeout: 50_000 })
  const parsed = execFileSync('python3', ['-I', join(files, 'grade.py'), 'parse', 'events-jsonl', report])
  expect(JSON.parse(parsed.toString())).toEqual({
    tests: { 'later.test.js::a': 'PASSED', 'whole.test.js::a': 'PASSED', 'whole.test.js::d > b': 'PASSED' },
    unloaded: ['first.test.js', 'later.test.js', 'nested.test.js'],
    malformed: 0,
  })
})
