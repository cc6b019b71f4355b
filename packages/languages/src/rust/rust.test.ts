import type { Recipe } from '@r2e/spec'
import { describe, expect, it } from 'vitest'
import { recipeInput } from '../__fixtures__/recipe-input.ts'
import { rustOwnsTest } from './owns-test.ts'
import { rustRecipes } from './recipe.ts'
import { rustRole } from './roles.ts'
import { cargoRunner } from './runner.ts'
import { rustTestCases } from './test-cases.ts'

const repository = {
  'Cargo.toml': '[workspace]\nmembers = ["core", "tool"]\n[workspace.package]\nrust-version = "1.70"\n',
  'Cargo.lock': 'version = 4\n',
  '.cargo/config.toml': '[build]\nrustflags = ["--cfg", "x"]\n',
  'core/Cargo.toml':
    '[package]\nname = "core"\n[lib]\npath = "lib/core.rs"\n[[bin]]\nname = "b"\npath = "../shared/b.rs"\n',
  'core/lib/core.rs': '',
  'core/lib/inner.rs': '',
  'core/tests/it.rs': '',
  'core/tests/big/main.rs': '',
  'core/tests/fixtures/x/Cargo.toml': '[package]\nname = "fixture"\n',
  'core/tests/broken/Cargo.toml': '[package\n',
  'shared/b.rs': '',
  'tool/Cargo.toml': '[package]\nname = "tool"\nrust-version = "1.99"\n',
  'tool/build.rs': '',
  'tool/src/main.rs': '',
  'tool/src/bin/x.rs': '',
  'vendor/v/Cargo.toml': '[package]\nname = "v"\n',
}
const [recipe] = (await rustRecipes(recipeInput(repository))) as [Recipe]
const fileOf = (made: Recipe, path: string) =>
  made.files
    .find((file) => file.path === path)
    ?.text.split('\n')
    .slice(0, -1)

describe('the recipe of Rust', () => {
  it('copies manifests, lock and settings in their own layout, no source', () => {
    expect(recipe.files.map(({ path }) => path)).toEqual([
      'cargo/.cargo/config.toml',
      'cargo/Cargo.lock',
      'cargo/Cargo.toml',
      'cargo/core/Cargo.toml',
      'cargo/core/tests/broken/Cargo.toml',
      'cargo/core/tests/fixtures/x/Cargo.toml',
      'cargo/tool/Cargo.toml',
      'roots',
      'targets',
    ])
  })

  it('stands empty programs in for the files of targets', () => {
    expect(fileOf(recipe, 'targets')).toEqual([
      'core/lib/core.rs',
      'core/tests/big/main.rs',
      'core/tests/it.rs',
      'shared/b.rs',
      'tool/build.rs',
      'tool/src/bin/x.rs',
      'tool/src/main.rs',
    ])
  })

  it('takes an image as new as the newest rust-version, or the release of a toolchain file', async () => {
    const imageOf = async (files: Readonly<Record<string, string>>) =>
      (await rustRecipes(recipeInput({ ...repository, ...files })))[0]!.baseImage
    expect(recipe.baseImage).toBe('rust:1.99')
    expect(await imageOf({ 'tool/Cargo.toml': '[package]\nname = "t"\n' })).toBe('rust:1.90')
    expect(await imageOf({ 'rust-toolchain': '1.75.0\n' })).toBe('rust:1.75.0')
    expect(await imageOf({ 'rust-toolchain.toml': '[toolchain]\nchannel = "1.80"\n' })).toBe('rust:1.80')
  })

  it('uses the toolchain of the image where another is named, and says so', async () => {
    const [nightly] = (await rustRecipes(recipeInput({ ...repository, 'rust-toolchain': 'nightly-2024-01-01' }))) as [
      Recipe,
    ]
    expect(nightly.env.RUSTUP_TOOLCHAIN).toBe(`\${RUST_VERSION}`)
    expect(nightly.origin).toContainEqual({
      fact: "toolchain nightly-2024-01-01 wanted, the image's own used",
      file: 'rust-toolchain',
    })
    expect(recipe.env.RUSTUP_TOOLCHAIN).toBeUndefined()
  })

  it('runs every workspace, and packages outside of one', async () => {
    expect(recipe.suite).toEqual(['.'])
    const pack = (name: string) => `[package]\nname = "${name}"\n`
    const [apart] = (await rustRecipes(
      recipeInput({
        'rust/Cargo.toml': pack('a'),
        'rust/sub/Cargo.toml': pack('b'),
        'x/Cargo.toml': pack('c'),
        'fuzz/Cargo.toml': pack('d'),
      }),
    )) as [Recipe]
    expect(apart.suite).toEqual(['rust', 'x'])
    expect(cargoRunner.select(apart, 'c/lib::t').argv).toContain('--manifest-path=x/Cargo.toml')
  })

  it('builds with network before any source is there, without it after', () => {
    expect(recipe.dependencies.map(({ network }) => network)).toEqual([false, true, true])
    expect(
      recipe.project.every(({ network, run }) => !network && run.startsWith('export CARGO_NET_OFFLINE=true')),
    ).toBe(true)
    expect(recipe.testEnv).toEqual({ CARGO_NET_OFFLINE: 'true' })
  })

  it('is none without a package', async () => expect(await rustRecipes(recipeInput({ 'a.rs': '' }))).toEqual([]))
})

describe('a repository that configures nextest', async () => {
  const [alone] = await rustRecipes(recipeInput({ ...repository, '.config/nextest.toml': '' }))

  it('has each test run in a process of its own', () => {
    expect(cargoRunner.suite(alone!)[0]!.argv.slice(-4)).toEqual(['cargo', 'nextest', 'run', '--workspace'])
    expect(alone!.origin).toContainEqual({
      fact: 'each test in a process of its own, as nextest runs them',
      file: '.config/nextest.toml',
    })
  })
})

describe('the driver of cargo', () => {
  const last = (argv: readonly string[]) => argv.slice(argv.indexOf('--limit=300') + 1)
  const two = { ...recipe, suite: ['.', 'rust'] }

  it('runs the whole suite of each workspace', () => {
    expect(cargoRunner.suite(two).map(({ argv }) => argv.join(' '))).toEqual([
      'python3 -I {tests}/reporters/cargo_tests.py --out={report}/0.jsonl --limit=300 -- cargo test --workspace',
      'python3 -I {tests}/reporters/cargo_tests.py --out={report}/1.jsonl --manifest-path=rust/Cargo.toml --limit=300 -- cargo test --workspace',
    ])
  })

  it("keeps the user's features and toolchain", () => {
    const own = { ...recipe, testCommand: ['cargo', '+beta', 'test', '--all-features'] }
    expect(last(cargoRunner.suite(own)[0]!.argv)).toEqual(['--', 'cargo', '+beta', 'test', '--all-features'])
  })

  it('runs the targets of touched files', () => {
    const files = ['rust/tests/it.rs', 'rust/src/-a b.rs']
    const commands = cargoRunner.files({ ...recipe, suite: ['rust', 'x'] }, files)
    expect(commands.map(({ argv }) => last(argv))).toEqual([
      ['--file=rust/tests/it.rs', '--file=rust/src/-a b.rs', '--', 'cargo', 'test', '--workspace'],
    ])
  })

  it('selects one id', () => {
    for (const id of ['crate/lib::a::b', 'crate/test:it::t', 'crate/doc:src/lib.rs::f'])
      expect(last(cargoRunner.select(recipe, id).argv)[0]).toBe(`--id=${id}`)
  })
})

describe('the role of a path of Rust', () => {
  const rows: Readonly<Record<string, string | undefined>> = {
    'src/lib.rs': 'source',
    'crates/a/src/parse/mod.rs': 'source',
    'src/testing.rs': 'source',
    'src/latest.rs': 'source',
    'crates/test-utils/src/lib.rs': 'source',
    'tests/it.rs': 'test',
    'crates/a/tests/common/mod.rs': 'test',
    'tests/ui/fail.stderr': 'test',
    'src/parse/tests.rs': 'test',
    'src/parse/tests/big.rs': 'test',
    'src/parse_test.rs': 'test',
    'src/snapshots/a__b.snap': 'test',
    'crates/a/testdata/gen.rs': 'test',
    'src/bin/test.rs': 'source',
    'benches/b.rs': 'other',
    'crates/a/examples/e.rs': 'other',
    'build.rs': 'other',
    'vendor/x/src/lib.rs': 'other',
    'examples/e.rs': undefined,
    'docs/tests/x.rs': undefined,
    'Cargo.toml': undefined,
    'README.md': undefined,
  }
  for (const [path, role] of Object.entries(rows))
    it(`of ${path} is ${role} [A1]`, () => expect(rustRole(path)).toBe(role))
})

const tests = (extra = '', row = '1') => `use x::y;

const ROWS: &[u8] = &[${row}];

#[test]
fn plain() { ${extra}
    for row in ROWS { check(row); }
}

mod inner {
    #[tokio::test]
    async fn deep() {}
    fn helper() {}
}

proptest! {
    #[test]
    fn holds(a in 0..9) { assert!(a < 9); }
}

mat!(by_macro, r"a{2}", "aa");
`
const textOf = (source: string, name: string) =>
  rustTestCases('tests/it.rs', source).find((found) => found.name === name)?.text

describe('test cases of Rust', () => {
  it('are functions by their modules, and calls of macros', () => {
    const names = rustTestCases('tests/it.rs', tests()).map(({ name }) => name)
    expect(names).toEqual(['plain', 'inner::deep', 'holds', 'by_macro'])
  })

  it('change with their code and their tables, not with comments and blanks [A3]', () => {
    expect(textOf(tests('// note'), 'plain')).toBe(textOf(tests('  '), 'plain'))
    expect(textOf(tests('', '1, 2'), 'plain')).not.toBe(textOf(tests(), 'plain'))
    expect(textOf(tests('let a = 1;'), 'plain')).not.toBe(textOf(tests(), 'plain'))
    expect(textOf(tests('let a = 1;'), 'by_macro')).toBe(textOf(tests(), 'by_macro'))
  })

  it('of a source file are those of its test code, and test functions wherever they stand', () => {
    const source = `vec_of!(one);\n#[cfg(test)]\nmod tests { #[test] fn a() {} mat!(b); }\nmod m { mod tests { #[test] fn c() {} } }\n`
    expect(rustTestCases('src/lib.rs', source).map(({ name }) => name)).toEqual(['tests::a', 'tests::b', 'm::tests::c'])
  })
})

describe('the owner of a test of Rust', () => {
  const inline = (path: string) => ({ path, text: '#[cfg(test)]\nmod tests { #[test] fn t() {} }\n' })
  const rows: readonly [path: string, id: string, owns: boolean][] = [
    ['tests/it.rs', 'a/test:it::any::thing', true],
    ['crates/a/tests/it.rs', 'a/test:it::t', true],
    ['tests/big/part.rs', 'a/test:big::part::t', true],
    ['tests/it.rs', 'a/test:other::t', false],
    ['tests/it.rs', 'a/lib::t', false],
    ['src/lib.rs', 'a/lib::tests::t', true],
    ['src/main.rs', 'a/bin:a::tests::t', true],
    ['src/bin/x.rs', 'a/bin:x::tests::t', true],
    ['crates/a/src/b/c.rs', 'a/lib::b::c::tests::t', true],
    ['src/b/mod.rs', 'a/lib::b::tests::t::case_1', true],
    ['src/b.rs', 'a/lib::b::tests::other', false],
    ['src/b.rs', 'a/lib::c::tests::t', false],
    ['src/lib.rs', 'a/doc:src/lib.rs::tests::t', false],
    ['src/lib.rs', 'a/lib', false],
  ]
  const manifests = {
    'Cargo.toml': '[package]\nname = "ripgrep"\n[[test]]\nname = "integration"\npath = "tests/tests.rs"\n',
    'crates/a/Cargo.toml': '[package]\nname = "a"\n',
    'crates/b/Cargo.toml': '[package]\nname = "b"\n',
  }
  const files = Object.entries(manifests).map(([path, text]) => ({ path: `cargo/${path}`, text }))
  const known = { files } as unknown as Recipe
  const inCrates: readonly [path: string, id: string, owns: boolean][] = [
    ['tests/tests.rs', 'ripgrep/test:integration::any', true],
    ['tests/feature.rs', 'ripgrep/test:integration::feature::f34', true],
    ['tests/feature.rs', 'ripgrep/test:integration::regression::r1', false],
    ['tests/foo/mod.rs', 'ripgrep/test:main::foo::case', true],
    ['tests/foo/bar.rs', 'ripgrep/test:main::foo::bar::case', true],
    ['crates/a/src/lib.rs', 'a/lib::tests::t', true],
    ['crates/a/src/lib.rs', 'b/lib::tests::t', false],
    ['crates/a/tests/it.rs', 'b/test:it::works', false],
  ]
  for (const [path, id, owns] of inCrates)
    it(`of ${id} ${owns ? 'is' : 'is not'} ${path} of the crates of a recipe`, () =>
      expect(rustOwnsTest([inline(path)], id, known)).toBe(owns))
  for (const [path, id, owns] of rows)
    it(`of ${id} ${owns ? 'is' : 'is not'} ${path} [B19]`, () => expect(rustOwnsTest([inline(path)], id)).toBe(owns))

  it('is a module of tests in a file of its own', () => {
    const file = { path: 'src/b/tests.rs', text: '#[test] fn t() {}' }
    expect(rustOwnsTest([file], 'a/lib::b::tests::t')).toBe(true)
  })
})
