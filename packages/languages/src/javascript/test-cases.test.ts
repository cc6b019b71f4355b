import { describe, expect, it } from 'vitest'
import { javascriptPack } from './index.ts'
import { javascriptTestCases } from './test-cases.ts'

const source = `import { expect, it } from 'vitest' // it('not here')
const rows = [['a { b', "}"], /* it('nor here') */ ['c', \`\${'}'}\`]]
const other = 1

describe('outer', () => {
  it('adds', async () => { expect(1).toBe(1) })
  describe.each(rows)("a > b %s", () => {
    it.only('adds', () => {})
    it.each\`a | b
    \${1} | \${2}\`('row $a', () => {})
  })
  it('comes after', () => expect('x'.replace(/['"\`]/g, '')).toBe(rows))
})
test.serial('quoted \\'title\\'', t => { t.test('child', () => {}) })
for (const [name] of rows) it(name, () => {})
it(\`row \${other}\`, () => {})
it('same', () => {})
it('same', () => {})
/it/.test('no case')
edit('no case', () => {})
object.it('no case')
`
const textOf = (code: string, name: string) => javascriptTestCases(code).find((item) => item.name === name)?.text

describe('test cases of JavaScript', () => {
  it('are calls with a title, under their groups', () => {
    expect(javascriptTestCases(source).map(({ name }) => name)).toEqual([
      'outer > adds',
      'outer > a \\> b %s > adds',
      'outer > a \\> b %s > row $a',
      'outer > comes after',
      "quoted 'title'",
      "quoted 'title' > child",
      '(name)',
      `row \${other}`,
      'same',
      'same #2',
    ])
  })

  const edits: readonly [title: string, from: string, to: string, name: string, changes: boolean][] = [
    ['a comment', '// it', '// other', 'outer > adds', false],
    ['layout', 'async () =>', 'async ()   =>', 'outer > adds', false],
    ['a table that it names', "['c',", "['d',", 'outer > comes after', true],
    ['a table that it does not name', "['c',", "['d',", 'outer > adds', false],
    ['a row of its own', `\${1} |`, `\${3} |`, 'outer > a \\> b %s > row $a', true],
    ['a regular expression', `['"\`]/g`, `['"]/g`, 'outer > comes after', true],
  ]
  for (const [title, from, to, name, changes] of edits)
    it(`${changes ? 'change' : 'do not change'} with ${title} [A3]`, () => {
      const edited = source.replace(from, () => to)
      expect(edited).not.toBe(source)
      expect(textOf(edited, name) !== textOf(source, name)).toBe(changes)
    })

  const titles: readonly [code: string, names: string[]][] = [
    ['test(t.input.toString(), () => {})', ['(t.input.toString())']],
    ["test(JSON.stringify(t.base) + ' + ' + t.input, () => {})", ['(JSON.stringify(t.base)+" + "+t.input)']],
    ["it('a, ' + b, () => {})", ['("a, "+b)']],
    [`it(\`\${\n a\n}\`, () => {})`, [`\${a}`]],
    ["new RuleTester().run('no-x', rule, { valid: ['a'], invalid: [] })", ['no-x']],
    ['test({ valid: [], invalid: [] })', ['({valid,invalid})']],
    ["pool.run('select', [], { rows: 1 })", []],
    ['test.before(async (t) => {}, 10)', []],
    ['function test(name, body) {\n  it(name, body)\n}', ['(name)']],
  ]
  for (const [code, names] of titles)
    it(`are named ${JSON.stringify(names)} in ${JSON.stringify(code)}`, () =>
      expect(javascriptTestCases(code).map(({ name }) => name)).toEqual(names))

  const tables: Readonly<Record<string, string>> = {
    'declared in the group': `describe('a', () => {\n  const rows =\n    ['x']\n  for (const row of rows) {\n    it(row, () => {})\n  }\n})`,
    'in front of forEach': `describe('a', () => {\n  ;['x'].forEach((row) => {\n    it(row, () => {})\n  })\n})`,
    'in a loop': `for (const row of ['x']) it(row, () => {})`,
    'in a loop with a body': `for (const row of [\n  'x',\n]) {\n  it(row, () => {})\n}`,
    'in a hook': `describe('a', () => {\n  let row\n  beforeEach(() => { row = 'x' })\n  it(row, () => {})\n})`,
    'in a hook of the file': `let row\nbeforeEach(() => { row = 'x' })\nit('a', () => {})\nit(row, () => {})`,
    'in a group of rows': `describe.each(['x'])('%s', (row) => {\n  it(row, () => {})\n})`,
    'named by what the case names': `const all = ['x']\nconst rows = all.map(f)\nfor (const row of rows) it(row, () => {})`,
    'of a helper of the group': `describe('a', () => {\n  const check = (row) => it(row, () => {})\n  check('x')\n})`,
    'of a lint rule': `tester.run('row', rule, {\n  valid: ['x'],\n})`,
  }
  for (const [place, code] of Object.entries(tables))
    it(`change with a row ${place} [A3]`, () => {
      const texts = (from: string) => javascriptTestCases(from).map(({ name, text }) => [name, text])
      expect(texts(code).length).toBeGreaterThan(0)
      expect(texts(code.replace("'x'", "'x', 'y'"))).not.toEqual(texts(code))
      expect(texts(code.replace("'x'", "'y'"))).not.toEqual(texts(code))
    })

  const unchanged: readonly [title: string, from: string, to: string][] = [
    ['quotes', `it('a "b"', () => f('it\\'s'))`, `it("a \\"b\\"", () => f("it's"))`],
    ['line breaks and commas', 'it("a", () => f([1, 2], { a }))', 'it("a", () =>\n  f([\n1,\n2,\n], {\na,\n}))'],
    ['semicolons', 'it("a", () => {\n  f()\n})', 'it("a", () => {\n  f();\n});'],
    ['brackets of a parameter', 'it("a", t => t.is(1))', 'it("a", (t) => t.is(1))'],
    ['await before it', 'test("a", () => {})', 'await test("a", () => {})'],
    [
      'the form of a callback',
      'describe("a", function () {\n it("b")\n})',
      'describe("a", async () => {\n it("b")\n})',
    ],
    ['the way a module is loaded', 'const f = require("f")\nit("a", f)', 'const f = require("node:f")\nit("a", f)'],
    [
      'another test of the group',
      'describe("a", () => {\n it("b")\n for (const x of y) it("c")\n describe("d", () => { it("e") })\n})',
      'describe("a", () => {\n it("b")\n})',
    ],
  ]
  for (const [title, from, to] of unchanged)
    it(`do not change with ${title} [A3]`, () => {
      const [first] = javascriptTestCases(to)
      expect(first).toBeDefined()
      expect(javascriptTestCases(from)[0]).toEqual(first)
    })

  it('take linear time on hostile text', () => {
    for (const unit of [
      "it('a',f),",
      "{it('a',f)}",
      "[{it('a',f)}],",
      "describe('a',()=>{it('b');",
      "const a=a;it('a',a)\n",
      "a.run('b',c,{",
      'it(a(',
      '"',
      '`',
      '`${',
      '/*',
      '(',
      '=/[',
      '\\',
      '//\n',
      "it('a',",
      'const a = it\n',
      '{}',
      "describe('a', ",
    ])
      javascriptTestCases(unit.repeat(200_000 / unit.length))
  }, 20_000)
})

describe('a JavaScript test id', () => {
  const files = [{ path: 'src/a.test.ts', text: '' }]
  const rows: Readonly<Record<string, boolean>> = {
    'src/a.test.ts::outer > adds': true,
    '[unit] src/a.test.ts::adds': true,
    'src/a.test.ts': true,
    'a.test.ts::adds': false,
    'src/a.test.tsx::adds': false,
  }
  for (const [id, owned] of Object.entries(rows))
    it(`${id} is ${owned ? '' : 'not '}from the hidden file [B19]`, () =>
      expect(javascriptPack.ownsTest(files, id)).toBe(owned))
})
