import { execFileSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { rustTestPieces } from './test-code.ts'

const grader = fileURLToPath(new URL('../../../grader/files/', import.meta.url))

interface Row {
  readonly title: string
  readonly text: string
  /** Keys of its pieces. */
  readonly keys: readonly string[]
}

const rows: readonly Row[] = [
  {
    title: 'a module of tests',
    text: 'fn a() {}\n\n#[cfg(test)]\nmod tests {\n    fn b() {}\n}\n',
    keys: ['mod tests'],
  },
  { title: 'a module in another file', text: '#[cfg(test)]\nmod tests;\nmod other;\n', keys: ['mod tests'] },
  {
    title: 'conditions that imply tests',
    text: '#[cfg(all(test, feature = "x"))] mod a {}\n#[cfg(any(test, all(unix, test)))] mod b {}\n#[cfg(all(unix, any(test)))] fn c() {}',
    keys: ['mod a', 'mod b', 'fn c'],
  },
  {
    title: 'conditions that do not',
    text: '#[cfg(not(test))] mod a {}\n#[cfg(any(test, feature = "x"))] mod b {}\n#[cfg(feature = "test")] mod c {}\n#[cfg_attr(test, allow(x))] mod d {}\n#[cfg(any())] mod e {}\n#[cfg(all())] mod f {}\n#[doc = "cfg(test)"] mod g {}',
    keys: [],
  },
  {
    title: 'every kind of item',
    text: `#[cfg(test)]
use a::{b, c};
#[cfg(test)]
pub(crate) const N: [u8; 2] = { [1, 2] };
#[cfg(test)] const fn f() -> u8 { 1 }
#[cfg(test)] pub unsafe extern "C" fn g() {}
#[cfg(test)] impl<T: Into<[u8; { 1 + 1 }]>> Shape<T> { fn h() {} }
#[cfg(test)] struct S(u8);
#[cfg(test)] extern crate x;
#[cfg(test)] macro_rules! m { () => {}; }
#[cfg(test)] thread_local! { static A: u8 = 1; }
#[cfg(test)] quickcheck! { fn q(a: u8) -> bool { true } }
fn stays() {}`,
    keys: [
      'use a : : { b , c } ;',
      'pub ( crate ) const N : [ u8 ; 2 ] = { [ 1 , 2 ] } ;',
      'fn f',
      'fn g',
      'impl < T : Into < [ u8 ; { 1 + 1 } ] > > Shape < T >',
      'struct S ( u8 ) ;',
      'extern crate x ;',
      'macro_rules ! m',
      'thread_local !',
      'quickcheck !',
    ],
  },
  {
    title: 'test functions without a module, of every harness',
    text: '#[test]\nfn a() {}\n#[tokio::test(flavor = "x")]\nasync fn b() {}\n#[rstest]\n#[case(1)]\nfn c() {}\n#[test_case(1)] fn d() {}\n#[wasm_bindgen_test] fn e() {}\n#[inline] fn f() {}\n#[tested] fn g() {}',
    keys: ['fn a', 'fn b', 'fn c', 'fn d', 'fn e'],
  },
  {
    title: 'a module of tests without a condition, and one that only has the name',
    text: 'mod tests { #[test] fn a() {} }\npub mod test { #[test] fn a() {} }\nmod test { fn helper() {} }',
    keys: ['mod tests'],
  },
  {
    title: 'its doc comments and attributes, before or after the condition',
    text: '/// Says.\n#[allow(x)]\n// plain\n#[cfg(test)]\n/** More. */\n#[path = "x.rs"]\nmod tests;\n',
    keys: ['mod tests'],
  },
  {
    title: 'inner attributes and documentation belong to the file',
    text: '//! Crate.\n#![cfg_attr(test, allow(x))]\n#![allow(y)]\n#[cfg(test)] mod tests {}',
    keys: ['mod tests'],
  },
  {
    title: 'nothing in strings, characters and comments',
    text: `const A: &str = "#[cfg(test)] mod a {} \\" {";
const B: &str = r#"#[cfg(test)] mod b { " "#;
const C: &[u8] = br##"{ "# "##;
const D: char = '{'; const E: char = '\\''; const F: u8 = b'{'; const G: char = '\\u{7b}'; const H: char = '"';
const I: &str = c"{";
/* #[cfg(test)] mod c { /* nested { */ } */
// #[cfg(test)] mod d {
fn life<'a, 'test>(x: &'a str) -> &'a str { 'outer: loop { break 'outer; } x }
#[cfg(test)] mod tests { const X: char = '}'; }`,
    keys: ['mod tests'],
  },
  {
    title: 'raw names and other alphabets',
    text: "#[cfg(test)] mod r#try {}\n#[cfg(test)] mod größe { const A: char = 'é'; const B: char = '😀'; const C: &str = \"😀{\"; }",
    keys: ['mod r#try', 'mod größe'],
  },
  {
    title: 'modules in modules stay where they are',
    text: 'mod a { #[cfg(test)] mod tests { #[test] fn t() {} } }\nmacro_rules! m { () => { #[cfg(test)] mod tests {} } }',
    keys: [],
  },
  { title: 'equal names', text: '#[cfg(test)] mod t {}\n#[cfg(test)] mod t {}', keys: ['mod t', 'mod t'] },
  { title: 'an unclosed module', text: 'fn a() {}\n#[cfg(test)]\nmod tests {\n fn b() {', keys: ['mod tests'] },
  { title: 'an unclosed string', text: '#[cfg(test)] mod tests { const A: &str = "', keys: ['mod tests'] },
  { title: 'stray brackets', text: '} ) #[cfg(test)] mod tests {} ] #[test]', keys: ['mod tests'] },
  { title: 'an attribute at the end', text: 'fn test() {}\n#[cfg(test)]', keys: [] },
  { title: 'a byte order mark and CRLF', text: '\ufeff#[cfg(test)]\r\nmod tests {\r\n}\r\n', keys: ['mod tests'] },
]

const byPython: readonly (readonly [string, string])[][] = JSON.parse(
  execFileSync(
    'python3',
    [
      '-I',
      '-c',
      `import json, sys
sys.dont_write_bytecode = True
sys.path.insert(0, sys.argv[1])
from inline.rust import pieces
print(json.dumps([[[p.key, t[p.start:p.end]] for p in pieces(t)] for t in json.load(sys.stdin)]))`,
      grader,
    ],
    { input: JSON.stringify(rows.map(({ text }) => text)) },
  ).toString(),
)

describe('the test code of a Rust source file', () => {
  for (const [at, { title, text, keys }] of rows.entries())
    it(`is found, and the same by the grader: ${title} [A1]`, () => {
      const found = rustTestPieces(text)
      expect(found.map(({ key }) => key)).toEqual(keys)
      expect(byPython[at]).toEqual(found.map(({ key, start, end }) => [key, text.slice(start, end)]))
    })

  it('is whole: from its first attribute or doc comment to its closing bracket', () => {
    const piece = '/// Says.\n#[allow(x)]\n#[cfg(test)]\nmod tests {\n    mod inner {}\n}'
    const text = `fn a() {}\n\n  ${piece} // after\n`
    const [{ start, end }] = rustTestPieces(text) as [{ start: number; end: number }]
    expect(text.slice(start, end)).toBe(piece)
  })

  it('is found in linear time', () => {
    const size = 60_000
    for (const unit of [
      '#[cfg(test)]',
      '#[test] fn a() {}',
      'mod a {',
      '/*',
      "'",
      'r#"',
      '"\\',
      '#![',
      '<{test}>',
      ') test',
    ])
      expect(spent(() => rustTestPieces(`test ${unit.repeat(size / unit.length)}`))).toBeLessThan(500)
  })
})

function spent(action: () => unknown): number {
  const start = process.cpuUsage()
  action()
  return process.cpuUsage(start).user / 1000
}
