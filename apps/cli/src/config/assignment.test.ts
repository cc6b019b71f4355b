import { ConfigSchema } from '@r2e/spec'
import { expect, it } from 'vitest'
import { assignmentLayer, coerce } from './assignment.ts'

const unknown = { kind: undefined, nullable: true }

it('reads an option without a known type as boolean, JSON or text, in this order', () => {
  const texts = ['true', 'FALSE', 'True', '3', '-1.5', 'null', '["a"]', '{"a":1}', '"x"', 'text', '', '01', 'a=b']
  expect(texts.map((text) => coerce(text, unknown))).toEqual([
    ...[true, false, true, 3, -1.5, null, ['a'], { a: 1 }, 'x', 'text', '', '01', 'a=b'],
  ])
})

it('keeps the text where a text is wanted', () => {
  for (const text of ['true', '2024', '1.10', '["a"]', 'null']) {
    expect(coerce(text, { kind: 'string', nullable: false })).toBe(text)
  }
  expect(coerce('null', { kind: 'string', nullable: true })).toBeNull()
})

it('takes one word for a list of one', () => {
  expect(coerce('python', { kind: 'array', nullable: false })).toEqual(['python'])
  expect(coerce('["a","b"]', { kind: 'array', nullable: false })).toEqual(['a', 'b'])
})

it('leaves a text that does not fit for the validation', () => {
  expect(coerce('many', { kind: 'number', nullable: false })).toBe('many')
})

it('builds a layer that knows which flag set what', () => {
  const layer = assignmentLayer(
    [
      { path: ['sandbox', 'concurrency'], text: '4', origin: { kind: 'flag', name: '--concurrency' } },
      { path: ['repo', 'ref'], text: '1.0', origin: { kind: 'env', name: 'R2E_REPO__REF' } },
    ],
    ConfigSchema,
  )
  expect(layer.values).toEqual({ sandbox: { concurrency: 4 }, repo: { ref: '1.0' } })
  expect(layer.originOf(['sandbox', 'concurrency'])).toEqual({ kind: 'flag', name: '--concurrency' })
  expect(layer.originOf(['repo'])).toEqual({ kind: 'env', name: 'R2E_REPO__REF' })
})
