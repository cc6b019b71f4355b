import { describe, expect, it } from 'vitest'
import { openBudget, TooMuch } from './budget.ts'
import { matrixRows } from './matrix.ts'
import { mapOf, openYamlParser } from './yaml.ts'

const parse = await openYamlParser(openBudget())

const cases: readonly [title: string, matrix: string, rows: readonly Record<string, string>[]][] = [
  ['are one without a matrix', '', [{}]],
  [
    'are the product of the axes',
    '{os: [u, w], v: [3.9, 3.10]}',
    [
      { os: 'u', v: '3.9' },
      { os: 'u', v: '3.10' },
      { os: 'w', v: '3.9' },
      { os: 'w', v: '3.10' },
    ],
  ],
  ['leave out what is excluded', '{os: [u, w], v: [1], exclude: [{os: w}]}', [{ os: 'u', v: '1' }]],
  [
    'gain the values of an include that fits',
    '{os: [u, w], include: [{os: u, x: 1}]}',
    [{ os: 'u', x: '1' }, { os: 'w' }],
  ],
  [
    'gain the values of an include without axes everywhere',
    '{os: [u, w], include: [{x: 1}]}',
    [
      { os: 'u', x: '1' },
      { os: 'w', x: '1' },
    ],
  ],
  [
    'are more by an include that fits nowhere',
    '{os: [u], include: [{os: m, x: 1}]}',
    [{ os: 'u' }, { os: 'm', x: '1' }],
  ],
  ['are the includes where there are no axes', '{include: [{v: 1}, {v: 2, os: w}]}', [{ v: '1' }, { v: '2', os: 'w' }]],
  ['take a later value of an include', '{os: [u], include: [{x: 1}, {x: 2}]}', [{ os: 'u', x: '2' }]],
  ['read a list that stands in a text', `{v: "\${{ fromJSON('[1, 2]') }}"}`, [{ v: '1' }, { v: '2' }]],
  ['are one where the run makes the list', `{v: "\${{ fromJSON(needs.a.outputs.b) }}"}`, [{ v: '\uE000' }]],
]

describe('rows of a matrix', () => {
  for (const [title, matrix, rows] of cases)
    it(title, () => {
      const made = matrixRows(parse(matrix) ?? undefined, {}, openBudget()).map(({ values }) => values)
      expect(JSON.parse(JSON.stringify(made))).toEqual(rows)
    })

  it('end at the limit of GitHub', () => {
    const axis = Array.from({ length: 40 }, (_, value) => value).join(',')
    expect(matrixRows(parse(`{a: [${axis}], b: [${axis}], c: [${axis}]}`), {}, openBudget())).toHaveLength(256)
  })

  it('are not compared with more than a person writes', () => {
    const keys = Array.from({ length: 200 }, (_, key) => `k${key}: 1`).join(',')
    const axis = Array.from({ length: 256 }, (_, value) => value).join(',')
    const includes = Array.from({ length: 200 }, () => '*x').join(',')
    const text = `{b: &x {${keys}}, m: {a: [${axis}], include: [${includes}]}}`
    expect(() => matrixRows(mapOf(parse(text)).m, {}, { commands: 1, bytes: 5_000_000 })).toThrow(TooMuch)
  })
})
