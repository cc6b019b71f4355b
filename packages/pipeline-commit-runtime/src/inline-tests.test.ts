import { execFileSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { spliceTests, testCodeOf } from '@r2e/kit'
import { rustPack } from '@r2e/languages'
import { describe, expect, it } from 'vitest'

const find = (text: string) => rustPack.inlineTests!('src/lib.rs', text)
const module = (name: string, body = '') => `#[cfg(test)]\nmod ${name} {${body}}`

const rows: readonly { title: string; text: string; tests: string; spliced: string }[] = [
  {
    title: 'a module of the same name is replaced where it stands',
    text: `fn a() {}\n\n${module('tests', ' old ')}\n\nfn b() {}\n`,
    tests: `${module('tests', ' new ')}\n`,
    spliced: `fn a() {}\n\n${module('tests', ' new ')}\n\nfn b() {}\n`,
  },
  {
    title: 'what the text lacks comes at its end',
    text: 'fn a() {}\n\n\n',
    tests: `${module('one')}\n\n${module('two')}\n`,
    spliced: `fn a() {}\n\n${module('one')}\n\n${module('two')}\n`,
  },
  {
    title: "the text's own that has no counterpart goes, with its line",
    text: `fn a() {}\n\n${module('own')}\n\n${module('mine')}\n\nfn b() {}\n`,
    tests: '',
    spliced: 'fn a() {}\n\nfn b() {}\n',
  },
  { title: 'nothing is left of a text of tests alone', text: `${module('own')}\n`, tests: '', spliced: '' },
  {
    title: 'an empty text becomes the tests',
    text: '',
    tests: `${module('tests')}\n`,
    spliced: `${module('tests')}\n`,
  },
  {
    title: 'equal names are told apart by their order',
    text: `${module('t', '1')}\nfn a() {}\n${module('t', '2')}\n`,
    tests: `${module('t', '3')}\n\n${module('t', '4')}\n\n${module('t', '5')}\n`,
    spliced: `${module('t', '3')}\nfn a() {}\n${module('t', '4')}\n\n${module('t', '5')}\n`,
  },
  {
    title: 'names that mean something to a language change nothing',
    text: `${module('__proto__', '1')}\n${module('constructor', '1')}\n`,
    tests: `${module('__proto__', '2 $& $1 \\\\1')}\n`,
    spliced: `${module('__proto__', '2 $& $1 \\\\1')}\n`,
  },
  {
    title: 'CRLF and other alphabets stay',
    text: `fn größe() {}\r\n\r\n${module('tests', '1')}\r\nfn b() { "😀" }`,
    tests: `${module('tests', '😀')}\n`,
    spliced: `fn größe() {}\r\n\r\n${module('tests', '😀')}\r\nfn b() { "😀" }`,
  },
]

const byPython: readonly string[] = JSON.parse(
  execFileSync(
    'python3',
    [
      '-I',
      '-c',
      `import json, sys
sys.dont_write_bytecode = True
sys.path.insert(0, sys.argv[1])
from grade import splice
from inline.rust import pieces
print(json.dumps([splice(r["text"], r["tests"], pieces) for r in json.load(sys.stdin)]))`,
      fileURLToPath(new URL('../../grader/files/', import.meta.url)),
    ],
    { input: JSON.stringify(rows) },
  ).toString(),
)

describe('test code put in place of other test code, here and by the grader', () => {
  for (const [at, { title, text, tests, spliced }] of rows.entries())
    it(`${title} [F3]`, () => {
      expect(spliceTests(text, tests, find)).toBe(spliced)
      expect(byPython[at]).toBe(spliced)
    })

  it('changes nothing where it is its own, and gives it back', () => {
    for (const { text, tests } of rows) {
      expect(spliceTests(text, testCodeOf(text, find), find)).toBe(text)
      const spliced = spliceTests(text, tests, find)
      expect(testCodeOf(spliced, find)).toBe(tests)
    }
  })
})
