import { describe, expect, it } from 'vitest'
import { openBudget, TooMuch } from './budget.ts'
import { type ExpressionContext, evaluateCondition, evaluateExpression, resolveTemplate } from './expression.ts'
import { unresolved } from './unresolved.ts'

const context: ExpressionContext = {
  matrix: {
    os: 'ubuntu-latest',
    python: '3.10',
    fast: 'false',
    deep: { cc: 'gcc-11' },
    list: ['a', 'b'],
    'dash-ed': 'd',
    secret: `a-${unresolved}`,
    long: 'x'.repeat(900),
  },
  env: { CARGO: 'cargo' },
  runner: { os: 'Linux' },
}

const values: readonly [expression: string, value: unknown][] = [
  ['matrix.python', '3.10'],
  ["matrix['python']", '3.10'],
  ['matrix.deep.cc', 'gcc-11'],
  ['matrix.list[1]', 'b'],
  ['matrix.dash-ed', 'd'],
  ['matrix.other', null],
  ['env.CARGO', 'cargo'],
  ['env.SET_LATER', undefined],
  ['runner.temp', undefined],
  ['secrets.TOKEN', undefined],
  ['steps.cache.outputs.hit', undefined],
  ["matrix.other || 'ubuntu-22.04'", 'ubuntu-22.04'],
  ["matrix.os || 'x'", 'ubuntu-latest'],
  ["matrix.fast && 'yes' || 'no'", 'no'],
  ["secrets.A || 'x'", 'x'],
  ["secrets.A && 'x'", undefined],
  ["format('py{0}-{1}', matrix.python, 'x')", 'py3.10-x'],
  ["contains(matrix.os, 'Ubuntu')", true],
  ["contains(matrix.list, 'b')", true],
  ["contains(fromJSON('[\"a\", 3]'), '3')", true],
  ["startsWith(matrix.os, 'ubuntu') && !endsWith(matrix.os, 'arm')", true],
  ['hashFiles(matrix.os)', undefined],
  ["matrix.python == '3.10'", true],
  ["matrix.python == '3.1'", false],
  ['matrix.python == 3.10', true],
  ["matrix.python > '3.9'", true],
  ['matrix.python < 24', true],
  ["'1' == '1.0'", true],
  ["'3.9' >= '3.10'", false],
  ['matrix.secret', undefined],
  ["matrix.secret == 'x'", undefined],
  ['constructor()', undefined],
  ['matrix.constructor', null],
  ['__proto__', undefined],
  ["format('{0}{0}', format('{0}{0}', matrix.long))", undefined],
  ["matrix.os != 'windows-latest'", true],
  ["'it''s'", "it's"],
  ['!!true', true],
  ['(true || false) && null', null],
  ['true true', undefined],
  ['(true', undefined],
  ['$x', undefined],
  ['', undefined],
  ['('.repeat(500), undefined],
]

const conditions: readonly [condition: string, holds: boolean | undefined][] = [
  [`\${{ matrix.os == 'ubuntu-latest' }}`, true],
  ["runner.os == 'Windows'", false],
  ['failure()', false],
  ['always() && secrets.A', undefined],
  ['failure() && secrets.A', false],
  ['matrix.fast', false],
  [`\${{ github.event_name }} == 'push'`, undefined],
]

const templates: readonly [text: string, resolved: string][] = [
  [`python-\${{ matrix.python }}-\${{matrix.other}}`, 'python-3.10-'],
  [`\${{ secrets.A }}`, unresolved],
  [`\${{ matrix.list }}`, 'Object'],
  [`a \${{ b`, `a \${{ b`],
  ['no template', 'no template'],
]

describe('expressions of GitHub Actions', () => {
  for (const [expression, value] of values)
    it(`${expression.slice(0, 60)} is ${value}`, () => expect(evaluateExpression(expression, context)).toEqual(value))
})

describe('conditions of GitHub Actions', () => {
  for (const [condition, holds] of conditions)
    it(`${condition} is ${holds}`, () => expect(evaluateCondition(condition, context)).toBe(holds))
})

describe('templates of GitHub Actions', () => {
  for (const [text, resolved] of templates)
    it(`${text} is filled in`, () => expect(resolveTemplate(text, context, openBudget())).toBe(resolved))

  it('grow by no value that is repeated', () =>
    expect(() => resolveTemplate(`\${{ matrix.long }}`.repeat(50_000), context, openBudget())).toThrow(TooMuch))
})
