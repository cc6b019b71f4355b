import { expect, it } from 'vitest'
import { nearest } from './nearest.ts'

const keys = ['bootstrap', 'output', 'ref', 'limit', 'commit_runtime', 'pr_diff']

it('finds the word that was meant', () => {
  expect(nearest('bootstrp', keys)).toBe('bootstrap')
  expect(nearest('outputs', keys)).toBe('output')
  expect(nearest('reff', keys)).toBe('ref')
  expect(nearest('limti', keys)).toBe('limit')
  expect(nearest('commit-runtime', keys)).toBe('commit_runtime')
  expect(nearest('PR_DIFF', keys)).toBe('pr_diff')
})

it('guesses nothing where nothing is close', () => {
  expect(nearest('zebra', keys)).toBeUndefined()
  expect(nearest('', keys)).toBeUndefined()
  expect(nearest('x'.repeat(100_000), keys)).toBeUndefined()
})
