import { sourceSuite } from '@r2e/testing'
import { afterAll, beforeAll, describe, it } from 'vitest'
import { type GitServer, startGitServer } from './__fixtures__/git-server.ts'
import { createGitSource } from './git-source.ts'

describe('the git source over folders', () => {
  for (const check of sourceSuite({ create: createGitSource })) it(check.title, check.run)
})

describe('the git source over HTTP', () => {
  let server: GitServer
  beforeAll(async () => {
    server = await startGitServer('/')
  })
  afterAll(() => server[Symbol.asyncDispose]())
  const url = (directory: string) => `${server.url}${directory}`
  for (const check of sourceSuite({ create: createGitSource, url })) it(check.title, check.run)
})
