import { describe, expect, it } from 'vitest'
import { javascriptOwnsTest } from './owns-test.ts'
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

  it('take linear time on hostile text', () => {
    for (const unit of [
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
      expect(javascriptOwnsTest(files, id)).toBe(owned))
})
