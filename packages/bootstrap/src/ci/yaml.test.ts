import { describe, expect, it } from 'vitest'
import { openBudget, TooMuch } from './budget.ts'
import { openYamlParser } from './yaml.ts'

const parse = await openYamlParser(openBudget())
const plain = (text: string) => JSON.parse(JSON.stringify(parse(text) ?? null))

const cases: readonly [title: string, text: string, value: unknown][] = [
  ['versions as they are written', 'a: [3.10, 1.20, 010, 1e3]\n', { a: ['3.10', '1.20', '010', '1e3'] }],
  ['quoted texts without their quotes', "a: \"x\\ny\"\nb: 'it''s'\n", { a: 'x\ny', b: "it's" }],
  ['words as texts', 'on: true\nno: yes\n', { on: 'true', no: 'yes' }],
  ['nothing as null', 'a:\nb: ~\nc: ""\n', { a: null, b: null, c: '' }],
  ['texts of several lines', 'a: >\n  x\n  y\nb: |\n  x\n  y\nc: x\n  y\n', { a: 'x y\n', b: 'x\ny\n', c: 'x y' }],
  ['aliases', 'a: &x [1]\nb: *x\n', { a: ['1'], b: ['1'] }],
  ['an alias of the newest anchor', 'a: &x 1\nb: &x 2\nc: *x\n', { a: '1', b: '2', c: '2' }],
  [
    'merged maps, own keys first',
    'a: &x {k: 1, l: 2}\nb: {l: 3, <<: *x}\n',
    { a: { k: '1', l: '2' }, b: { k: '1', l: '3' } },
  ],
  ['the first of merged maps', 'a: {<<: [{k: 1}, {k: 2}]}\n', { a: { k: '1' } }],
  ['references', 'a: !reference [b, c]\n', { a: { '!reference': ['b', 'c'] } }],
  ['a configuration behind its inputs', 'spec:\n  inputs: {}\n---\na: 1\n', { a: '1' }],
  [
    'keys that objects have',
    '__proto__: {a: 1}\nconstructor: b\n',
    JSON.parse('{"__proto__":{"a":"1"},"constructor":"b"}'),
  ],
  ['no YAML', 'a: [1\n', null],
  ['an empty file', '# nothing\n', null],
  ['an alias of nothing', 'a: *x\n', { a: null }],
  ['an alias that holds itself', 'a: &x [*x]\n', null],
  ['more depth than a person writes', '['.repeat(5000), null],
]

describe('YAML of CI files', () => {
  for (const [title, text, value] of cases) it(`reads ${title}`, () => expect(plain(text)).toEqual(value))

  it('stands for no more than a person would write', () => {
    const levels = Array.from(
      { length: 20 },
      (_, level) => `a${level + 1}: &a${level + 1} [*a${level}, *a${level}, *a${level}]\n`,
    )
    expect(parse(`a0: &a0 [x]\n${levels.join('')}`)).toBeUndefined()
  })

  it('stands for no more in many files than a tree may', async () => {
    const read = await openYamlParser(openBudget())
    const text = (name: number) => `a: &a [${'x, '.repeat(2000)}x]\nb: [${'*a, '.repeat(20)}]\nc: ${name}\n`
    expect(() => Array.from({ length: 100 }, (_, name) => read(text(name)))).toThrow(TooMuch)
  })

  const slow: readonly string[] = ['}}', '"', '---\n', '[', '{a: ', '- ', '? ', '- - ', 'a: [', ' ', '-', 'a:\n ']
  for (const piece of slow)
    it(`ends soon for 64 kB of ${JSON.stringify(piece)}`, () => {
      const started = Date.now()
      parse(piece.repeat(64_000 / piece.length))
      expect(Date.now() - started).toBeLessThan(2000)
    })

  it('takes linear time', () => {
    const started = Date.now()
    for (const piece of ['a: ', '&a ', '*a ', '!a ', '"', '<<: *a\n', '---\n', '#', '\t', '- a\n', 'a: b\n'])
      parse(piece.repeat(64_000 / piece.length))
    expect(Date.now() - started).toBeLessThan(8000)
  })
})
