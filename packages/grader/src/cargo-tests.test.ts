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
  // Stands no other test in its process, and one takes its process down.
  'tests/alone.rs':
    'use std::sync::atomic::{AtomicBool, Ordering::SeqCst};\nstatic USED: AtomicBool = AtomicBool::new(false);\n' +
    ['a', 'b'].map((name) => `#[test]\nfn ${name}() { assert!(!USED.swap(true, SeqCst)); }\n`).join('') +
    '#[test]\nfn c() { std::process::abort(); }\n#[test]\n#[ignore]\nfn d() {}\n' +
    '#[test]\n#[should_panic]\nfn e() { panic!(); }\n#[test]\nfn f() { std::process::exit(0); }\n',
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
      // of one process with all its tests the rest is lost where one takes it down
      unloaded: ['shape/test:alone', 'shape/test:broken'],
      tests: {
        'shape/doc:src/lib.rs::one': 'PASSED',
        'shape/lib::tests::one': 'PASSED',
        'shape/lib::tests::one_more': 'PASSED',
        'shape/test:it::t': 'PASSED',
      },
    })
  }, 120_000)

  it('runs each test in a process of its own where the command is that of nextest [R9]', () => {
    const found = run('--', 'cargo', 'nextest', 'run', '--profile', 'ci', '--retries=2', '-E', 'all()')
    const { tests } = found
    expect(found).toMatchObject({ code: 101, unloaded: ['shape/test:broken'] })
    expect(Object.entries(tests).filter(([id]) => id.startsWith('shape/test:alone'))).toEqual([
      ['shape/test:alone::a', 'PASSED'],
      ['shape/test:alone::b', 'PASSED'],
      ['shape/test:alone::c', 'FAILED'],
      ['shape/test:alone::d', 'SKIPPED'],
      ['shape/test:alone::e', 'PASSED'],
      ['shape/test:alone::f', 'FAILED'],
    ])
    expect(tests).toMatchObject({ 'shape/lib::tests::one_more': 'PASSED', 'shape/doc:src/lib.rs::one': 'PASSED' })
    const one = run('--id=shape/test:alone::b', '--', 'cargo', 'nextest', 'run')
    expect(one).toMatchObject({ code: 0, tests: { 'shape/test:alone::b': 'PASSED' }, unloaded: [] })
    expect(Object.keys(one.tests)).toHaveLength(1)
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

  it('takes a command whose options say how tests run, and keeps those that choose them', () => {
    const command = ['cargo', 'test', '--no-fail-fast', '--jobs=2', '-q', '-pshape', '--test=it', '--', '--nocapture']
    expect(run('--', ...command)).toMatchObject({ code: 0, tests: { 'shape/test:it::t': 'PASSED' }, unloaded: [] })
  }, 120_000)

  it('says that it failed itself where the packages cannot be read', () => {
    expect(run('--manifest-path=none/Cargo.toml', ...suite)).toMatchObject({
      code: 2,
      stream: '',
      error: expect.any(String),
    })
  })
})

describe('the options of a test command', () => {
  /** What is kept of them for building, by the driver itself. */
  const kept = (command: string): string[] => {
    const program = `import json, sys
sys.dont_write_bytecode = True
sys.path.insert(0, sys.argv[1])
from cargo_tests import Cargo
cargo = Cargo(sys.argv[2].split(), None)
print(json.dumps([*cargo.options, *cargo.place, *(["(docs)"] if cargo.only_docs else [])]))`
    const argv = ['-I', '-c', program, join(files, 'reporters'), command]
    return JSON.parse(execFileSync('python3', argv).toString())
  }
  const rows: readonly [string, string][] = [
    ['cargo test', ''],
    ['cargo +beta t -pcore -p=tool -F a,b -Zbuild-std', '--package core --package tool --features a,b -Z build-std'],
    ['cargo test -rq name_of_a_test --no-fail-fast -j 4', '--release --quiet'],
    ['cargo test --package=core --test=it --profile release', '--package core --test it --profile release'],
    ['cargo test --workspace --exclude slow -- --ignored --test-threads 1', '--workspace --exclude slow'],
    ['cargo test --manifest-path rust/Cargo.toml --lib', '--lib --manifest-path rust/Cargo.toml'],
    ['cargo test --doc --all-features', '--all-features (docs)'],
    ['cargo test --benches --bench b', '--benches --bench b'],
    ['cargo nextest run -P ci --profile ci --cargo-profile release -E all()', '--profile release'],
    ['cargo nextest r --retries 2 --workspace --partition count:1/2', '--workspace'],
  ]
  for (const [command, options] of rows)
    it(`keeps of ${command}: ${options || 'nothing'}`, () => {
      expect(kept(command).join(' ')).toBe(options)
    })
})

describe('a test that ran alone', () => {
  const end = { type: 'suite', event: 'ok' }
  const said = (event: string, name = 'a') => ({ type: 'test', event, name })
  const rows: readonly [string, readonly object[], number, string][] = [
    ['passed', [said('started'), said('ok'), end], 0, 'ok'],
    ['passed, beside what it prints of others', [said('started'), said('ok', 'b'), said('ok'), end], 0, 'ok'],
    ['panicked as it should', [said('started', 'a - should panic'), said('ok', 'a - should panic'), end], 0, 'ok'],
    ['is ignored', [said('ignored'), end], 0, 'ignored'],
    ['failed, whatever it printed before', [said('ok'), said('failed'), { ...end, event: 'failed' }], 101, 'failed'],
    ['printed that it passed, and left', [said('started'), said('ok')], 0, 'failed'],
    ['told of another alone', [said('started', 'b'), said('ok', 'b'), end], 0, 'failed'],
    ['passed in a process that then died', [said('started'), said('ok'), end], -6, 'failed'],
    ['said nothing', [], 0, 'failed'],
  ]
  for (const [what, events, code, outcome] of rows)
    it(`${what}: ${outcome}`, () => {
      const program = `import json, sys
sys.dont_write_bytecode = True
sys.path.insert(0, sys.argv[1])
from cargo_tests import outcome
print(outcome("a", *json.loads(sys.argv[2])))`
      const argv = ['-I', '-c', program, join(files, 'reporters'), JSON.stringify([code, events])]
      expect(execFileSync('python3', argv).toString().trim()).toBe(outcome)
    })
})
