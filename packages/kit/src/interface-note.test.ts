import { encodeUtf8, type FileChange, type Tree } from '@r2e/spec'
import { describe, expect, it } from 'vitest'
import { changedText } from './added-lines.ts'
import { definitions } from './definitions.ts'
import { hiddenApi, interfaceNote } from './interface-note.ts'

const change = (path: string, added: string) =>
  ({
    path,
    patch: encodeUtf8(`diff --git a/${path} b/${path}\n@@ -0,0 +1 @@\n${added.replaceAll(/^/gm, '+')}\n`),
  }) as FileChange
const treeOf = (files: Readonly<Record<string, string>>) =>
  ({
    entries: async () =>
      Object.entries(files).map(([path, text]) => ({ path, mode: '100644', blob: '', size: text.length })),
    readAll: async (paths: readonly string[]) => new Map(paths.map((path) => [path, encodeUtf8(files[path]!)])),
  }) as unknown as Tree

const SIGNATURES: Readonly<Record<string, string>> = {
  'def split_all(text: str, *, keep=False) -> list[str]:': 'def split_all(text: str, *, keep=False) -> list[str]',
  'def split_all(\n    text,\n    keep=False,\n):': 'def split_all(text, keep=False)',
  'class Splitter(Base):': 'class Splitter(Base)',
  'func (c *Cmd) Walk(fn func(*Cmd) error) error {': 'func (c *Cmd) Walk(fn func(*Cmd) error) error',
  'func Split[T any](s string) []T {': 'func Split[T any](s string) []T',
  'type Walker interface {': 'type Walker interface',
  'type WalkFunc func(*Cmd) error': 'type WalkFunc func(*Cmd) error',
  'export function split(a: string): string[] {': 'export function split(a: string): string[]',
  'export const LIMIT = 400': 'export const LIMIT',
  'pub fn split(a: &str) -> Vec<String> {': 'pub fn split(a: &str) -> Vec<String>',
  'public static List<String> split(String a) {': 'public static List<String> split(String a)',
  'MAX_DEPTH: int = 12': 'MAX_DEPTH: int',
}

describe('definitions', () => {
  for (const [source, signature] of Object.entries(SIGNATURES))
    it(`reads ${JSON.stringify(signature)} [D3]`, () => {
      expect(definitions(changedText(change('a', source)))[0]?.signature).toBe(signature)
    })
})

describe('members', () => {
  const told = (path: string, source: string) => definitions(changedText(change(path, source)))

  it('are fields of a Go struct', () => {
    expect(told('a.go', '\tValidator ValidatorFunc `json:"v"` // hidden')).toEqual([
      { name: 'Validator', signature: 'Validator ValidatorFunc `json:"v"`' },
    ])
  })

  it('are parameters, told by the whole declaration, and no arguments of a call [D4]', () => {
    const signature = 'def split(text: str, strict: bool = False) -> list'
    expect(
      told(
        'a.py',
        'def split(\n    text: str,\n    strict: bool = False,\n) -> list:\n    call(\n        secret=41,\n    )',
      ),
    ).toEqual(['split', 'text', 'strict', 'text', 'strict'].map((name) => ({ name, signature })))
  })

  it('are annotated attributes without their values', () => {
    expect(told('a.py', 'class A:\n    limit: int = secret()\n    other = 3')).toEqual([
      { name: 'A', signature: 'class A' },
      { name: 'limit', signature: 'limit: int' },
    ])
  })
})

describe('hiddenApi', () => {
  const source = [
    change(
      'src/a.py',
      'def brand_new(value, flag=True):\n    secret = 41\n    raise E("value must not be blank")\ndef inner_only():\n    pass\ndef known_name():\n    pass',
    ),
  ]
  const tests = [
    change(
      'tests/t.py',
      'brand_new(1)\nknown_name()\nassert "value must not be blank" in out\nassert "never in the code" in out',
    ),
  ]

  it('tells names, signatures and exact words that nothing else tells, and no body [D3 D4 D5]', async () => {
    const api = await hiddenApi({ source, tests, tree: treeOf({ 'a.py': 'known_name = 1' }), text: 'Blanks.' })
    const note = interfaceNote(api)
    expect(note).toBe(
      '## Interface\n\nThe tests use these names, which do not exist yet:\n\n- `def brand_new(value, flag=True)`\n\nThe tests expect these words exactly:\n\n- `value must not be blank`',
    )
    expect(note).not.toContain('secret')
  })

  it('tells nothing that the text or the tree tells [D4]', async () => {
    const tree = treeOf({ 'a.py': 'known_name; brand_new' })
    const api = await hiddenApi({ source, tests, tree, text: 'Say "value must not be blank".' })
    expect(interfaceNote(api)).toBe('')
  })
})
