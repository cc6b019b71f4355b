import { execFileSync, spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, expect, it } from 'vitest'
import { writeFiles } from './__fixtures__/make-task.ts'

const files = fileURLToPath(new URL('../files/', import.meta.url))
const root = mkdtempSync(join(tmpdir(), 'r2e-meson-'))
afterAll(() => rmSync(root, { recursive: true, force: true }))

interface Row {
  readonly name: string
  readonly suite?: string
  /** What Meson says of it as a whole. */
  readonly result: string
  readonly points: readonly string[]
}

/** What is told of the TAP tests of a project `p` whose run leaves what Meson 1.7 leaves. */
async function told(rows: readonly Row[]): Promise<unknown> {
  const several = rows.some(({ suite }) => suite)
  const pretty = ({ name, suite }: Row) => (several ? `p${suite ? `:${suite}` : ''} / ${name}` : name)
  const tests = rows.map((row) => ({ name: row.name, cmd: ['/bin/sh'], suite: [row.suite ? `p:${row.suite}` : 'p'] }))
  const suites = rows.map((row) => `<testsuite name="p.${pretty(row)}">${row.points.join('')}</testsuite>`)
  await writeFiles(root, {
    'tests.json': JSON.stringify(tests),
    'testlog.json': rows.map((row) => `${JSON.stringify({ name: pretty(row), result: row.result })}\n`).join(''),
    'testlog.junit.xml': `<testsuites>${suites.join('')}</testsuites>`,
    'bin/ninja': '#!/bin/sh\n',
    'bin/meson': `#!/bin/sh
case "$1 $3" in
introspect\\ --tests) cat '${root}/tests.json' ;;
introspect*) echo '[]' ;;
test*) mkdir "$3/meson-logs" && cp '${root}'/testlog.* "$3/meson-logs" ;;
esac
`,
  })
  execFileSync('chmod', ['+x', join(root, 'bin/ninja'), join(root, 'bin/meson')])
  rmSync(join(root, 'report.jsonl'), { force: true })
  const argv = ['--out', join(root, 'report.jsonl'), '--source', root, '--build', join(root, 'build')]
  const env = { ...process.env, PATH: `${join(root, 'bin')}:${process.env.PATH}` }
  spawnSync('python3', ['-I', join(files, 'reporters/meson_tests.py'), ...argv], { env })
  const parse = [join(files, 'grade.py'), 'parse', 'events-jsonl', join(root, 'report.jsonl')]
  return JSON.parse(execFileSync('python3', ['-I', ...parse]).toString())
}

const ok = (suite: string, name: string) => `<testcase name="1 - ${name}" classname="p.${suite}"/>`
const bad = (suite: string, name: string) => `<testcase name="1 - ${name}" classname="p.${suite}"><failure/></testcase>`

it('a TAP test that dies, hangs or breaks its plan is ERROR and unloaded, whatever its points say [X9]', async () => {
  const rows = ['OK', 'SKIP', 'EXPECTEDFAIL', 'ERROR', 'TIMEOUT', 'FAIL', 'UNEXPECTEDPASS'].map((result) => {
    const name = result.toLowerCase()
    return { name, result, points: [ok(name, 'adds')] }
  })
  const broken = ['p::error', 'p::fail', 'p::timeout', 'p::unexpectedpass']
  expect(await told(rows)).toEqual({
    tests: {
      ...Object.fromEntries(rows.map(({ name }) => [`p::${name} > adds`, 'PASSED'])),
      ...Object.fromEntries(broken.map((name) => [name, 'ERROR'])),
    },
    unloaded: broken,
    malformed: 0,
  })
})

it('a TAP test with a failed point has told why it failed [X9]', async () => {
  const points = [ok('p:fast / t', 'adds'), bad('p:fast / t', 'divides')]
  const rows = [
    { name: 't', suite: 'fast', result: 'FAIL', points },
    { name: 'u', result: 'ERROR', points: [ok('p / u', 'adds')] },
  ]
  expect(await told(rows)).toEqual({
    tests: { 'p::t > adds': 'PASSED', 'p::t > divides': 'FAILED', 'p::u > adds': 'PASSED', 'p::u': 'ERROR' },
    unloaded: ['p::u'],
    malformed: 0,
  })
})
