import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, describe, expect, it } from 'vitest'
import { writeFiles } from './__fixtures__/make-task.ts'

const reporter = fileURLToPath(new URL('../files/reporters/tap_files.mjs', import.meta.url))
const root = mkdtempSync(join(tmpdir(), 'r2e-tap-'))
afterAll(() => rmSync(root, { recursive: true, force: true }))

const passes = "console.log('ok 1 - a')\n"
const paths = [
  'test.js',
  'src/test.js',
  'test/a.js',
  'lib/b.test.js',
  'lib/__tests__/c/d.mjs',
  'lib/e.js',
  'test-f.cjs',
]
const left = ['node_modules/a/test/a.js', 'lib/node_modules/a/test.js', '.cache/test/a.js']
await writeFiles(root, Object.fromEntries([...paths, ...left].map((path) => [path, passes])))

/** As Node 18 and 20 are. */
const withoutGlob = 'data:text/javascript,import fs from "node:fs"; delete fs.globSync'

function filesRun(node: readonly string[], patterns: readonly string[]) {
  const words = [...node, reporter, 'node', '--', ...patterns]
  const { stdout, stderr } = spawnSync(process.execPath, words, { cwd: root, encoding: 'utf8' })
  return { files: [...stdout.matchAll(/^ok \d+ - (.*)$/gm)].map(([, file]) => file), stderr }
}

const nodes: Readonly<Record<string, readonly string[]>> = {
  'with globSync': ['--no-warnings'],
  'without globSync': ['--import', withoutGlob],
}

for (const [title, node] of Object.entries(nodes))
  describe(`files that print TAP, in a Node ${title}`, () => {
    const rows: readonly [patterns: string[], files: string[]][] = [
      [
        ['lib/e.js', 'test.js'],
        ['lib/e.js', 'test.js'],
      ],
      [
        ['test.js', '{src,source}/test.js'],
        ['test.js', 'src/test.js'],
      ],
      [['**/{test,tests,__tests__}/**/*.{js,cjs,mjs}'], ['lib/__tests__/c/d.mjs', 'test/a.js']],
      [
        ['**/*.{test,spec}.{js,cjs,mjs}', 'lib/*.js'],
        ['lib/b.test.js', 'lib/e.js'],
      ],
      [['./**/test-*.{js,cjs,mjs}'], ['test-f.cjs']],
    ]
    for (const [patterns, files] of rows)
      it(`are found by ${patterns.join(' ')}`, () => {
        expect(filesRun(node, patterns)).toEqual({ files, stderr: '' })
      })
  })
