import { pathToFileURL } from 'node:url'
import { sourceSuite } from '@r2e/testing'
import { describe, it } from 'vitest'
import { createGitSource } from './git-source.ts'

describe('the git source, conformance', () => {
  for (const check of sourceSuite({ create: createGitSource })) it(check.title, check.run)
})

describe('the git source, file:// conformance', () => {
  const url = (directory: string) => pathToFileURL(directory).href
  for (const check of sourceSuite({ create: createGitSource, url })) it(check.title, check.run)
})
