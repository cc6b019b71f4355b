import type { FailedRecipe, RecipeFailure } from '@r2e/spec'
import { expect, it } from 'vitest'
import { RECIPE } from '../store/__fixtures__/stored.ts'
import { failureHints } from './failure-hints.ts'

const failed = (failure: Partial<RecipeFailure>): FailedRecipe => ({
  recipe: RECIPE,
  failure: { kind: 'failure', reason: 'environment_failed', detail: '', log: '', seconds: 1, ...failure },
})
const flagsOf = (...failures: readonly Partial<RecipeFailure>[]) =>
  failureHints(failures.map(failed)).map((hint) => /^--[a-z-]+/.exec(hint)![0])

const cases: readonly [title: string, failures: readonly Partial<RecipeFailure>[], flags: readonly string[]][] = [
  ['no recipe', [], ['--language', '--test-cmd', '--base-image']],
  ['no base image', [{ step: 'FROM none' }], ['--base-image', '--language', '--setup']],
  [
    'a missing header',
    [{ log: 'fatal error: ffi.h: No such file or directory' }],
    ['--setup', '--base-image', '--language'],
  ],
  ['a missing program', [{ log: '/bin/sh: 1: cmake: not found' }], ['--setup', '--base-image', '--language']],
  [
    'another version',
    [{ log: "ERROR: Package 'a' requires a different Python: 3.8" }],
    ['--base-image', '--setup', '--language'],
  ],
  ['no test', [{ log: 'x: not found' }, { reason: 'no_tests_seen' }], ['--test-cmd', '--setup', '--base-image']],
  ['a slow suite', [{ reason: 'verifier_timeout' }], ['--test-cmd', '--sandbox-opt', '--base-image']],
  ['too little memory', [{ reason: 'out_of_memory' }], ['--sandbox-opt', '--test-cmd', '--base-image']],
  ['anything else', [{ log: 'boom' }], ['--base-image', '--setup', '--language']],
]
for (const [title, failures, flags] of cases)
  it(`the hints for ${title} begin with what helps most`, () => expect(flagsOf(...failures)).toEqual(flags))
