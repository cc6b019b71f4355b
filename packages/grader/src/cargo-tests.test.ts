import { execFileSync, spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, describe, expect, it } from 'vitest'
import { writeFiles } from './__fixtures__/make-task.ts'

const files = fileURLToPath(new URL('../files/', import.meta.url))
const hasCargo = spawnSync('cargo', ['--version']).status === 0
const root = mkdtempSync(join(tmpdir(), 'r2e-cargo-'))
afterAll(() => rmSync(root, { recursive: true, force: true }))

await writeFiles(root, {
  'Cargo.toml': '[package]\nname = "shape"\nversion = "0.1.0"\nedition = "2021"\n',
  'src/lib.rs':
    '/// ```\n/// assert_eq!(shape::one(), 1);\n/// ```\npub fn one() -> u8 { 1 }\n\n#[cfg(test)]\nmod tests {\n    #[test]\n    fn one() {}\n\n    #[test]\n    fn one_more() {}\n}\n',
  'tests/it.rs': '#[test]\nfn t() {}\n',
  'tests/broken.rs': '#[test]\nfn t() { shape::two(); }\n',
})

/** What the driver's stream says, as the grader reads it; `code` is the driver's own. */
function run(...words: readonly string[]) {
  const out = join(root, 'report.jsonl')
  rmSync(out, { force: true })
  const env = { ...process.env, CARGO_TARGET_DIR: join(root, 'target'), CARGO_NET_OFFLINE: 'true' }
  const driver = join(files, 'reporters/cargo_tests.py')
  const { status } = spawnSync('python3', ['-I', driver, `--out=${out}`, ...words], { cwd: root, env })
  const parsed = execFileSync('python3', ['-I', join(files, 'grade.py'), 'parse', 'libtest-json', out])
  return { code: status, stream: readFileSync(out, 'utf8'), ...JSON.parse(parsed.toString()) }
}
const suite = ['--', 'cargo', 'test', '--workspace']

describe.skipIf(!hasCargo)(`the driver of cargo${hasCargo ? '' : ' (no cargo here)'}`, () => {
  it('runs every target apart, doc tests too, and names the one that does not compile [R6 R8]', () => {
    expect(run(...suite)).toMatchObject({
      code: 101,
      unloaded: ['shape/test:broken'],
      tests: {
        'shape/doc:src/lib.rs::one': 'PASSED',
        'shape/lib::tests::one': 'PASSED',
        'shape/lib::tests::one_more': 'PASSED',
        'shape/test:it::t': 'PASSED',
      },
    })
  }, 120_000)

  for (const id of ['shape/lib::tests::one', 'shape/test:it::t', 'shape/doc:src/lib.rs::one'])
    it(`gives the id that it is asked for: ${id}`, () => {
      expect(run(`--id=${id}`, ...suite)).toMatchObject({ code: 0, tests: { [id]: 'PASSED' }, unloaded: [] })
    }, 120_000)

  it('runs the target of a file', () => {
    expect(Object.keys(run('--file=tests/it.rs', ...suite).tests)).toEqual(['shape/test:it::t'])
    expect(Object.keys(run('--file=src/lib.rs', ...suite).tests)).toEqual([
      'shape/lib::tests::one',
      'shape/lib::tests::one_more',
    ])
  }, 120_000)

  it('says that it failed itself where the packages cannot be read', () => {
    expect(run('--manifest-path=none/Cargo.toml', ...suite)).toMatchObject({
      code: 2,
      stream: '',
      error: expect.any(String),
    })
  })
})
