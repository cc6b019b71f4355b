import { languagePacks } from '@r2e/languages'
import { createGitSource } from '@r2e/source/git'
import { pipelineSuite } from '@r2e/testing'
import { describe, it } from 'vitest'
import { prDiff } from './index.ts'

const open = (directory: string, cacheDirectory: string) =>
  createGitSource().open({ url: directory, ref: 'HEAD', access: 'auto' }, { cacheDirectory })

describe('pr_diff conforms', () => {
  for (const check of pipelineSuite({ pipeline: prDiff, open, languages: languagePacks })) it(check.title, check.run)
})
describe('pr_diff conforms as text alone', () => {
  const options = { emit_harbor_env: false, oracle_scope: 'full' }
  for (const check of pipelineSuite({ pipeline: prDiff, open, languages: languagePacks, options }))
    it(check.title, check.run)
})
