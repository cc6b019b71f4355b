import { languagePacks } from '@r2e/languages'
import { createGitSource } from '@r2e/source/git'
import { pipelineSuite } from '@r2e/testing'
import { describe, it } from 'vitest'
import { commitRuntime } from './index.ts'

const open = (directory: string, cacheDirectory: string) =>
  createGitSource().open({ url: directory, ref: 'HEAD', access: 'auto' }, { cacheDirectory })

describe('commit_runtime conforms', () => {
  for (const check of pipelineSuite({ pipeline: commitRuntime, open, languages: languagePacks }))
    it(check.title, check.run)
})
describe('commit_runtime conforms with every filter lifted', () => {
  const options = { bugfix_only: false, require_new_test_funcs: false, min_message_words: 0, first_parent: false }
  for (const check of pipelineSuite({ pipeline: commitRuntime, open, languages: languagePacks, options }))
    it(check.title, check.run)
})
