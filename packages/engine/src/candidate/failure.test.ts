import { mkdtemp, open, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { R2eError } from '@r2e/spec'
import { expect, it } from 'vitest'
import { failureOf } from './failure.ts'

it.skipIf(process.platform !== 'linux')('tries a candidate again that a full disk stopped [W25]', async () => {
  const full = await open('/dev/full', 'w')
  const error = await full.writeFile('x').catch((cause: unknown) => cause)
  await full.close()
  expect(failureOf(error)).toMatchObject({ state: 'failed', fault: 'transient', code: 'machine_exhausted' })
  const git = new R2eError('git_failed', 'bug', 'git fast-import: fatal: write error: No space left on device')
  expect(failureOf(git)).toMatchObject({ fault: 'transient' })
})

it('counts any other fault as one of the tool, and keeps the code of an error that has one', async () => {
  const directory = await mkdtemp(join(tmpdir(), 'r2e-failure-'))
  const error = await open(join(directory, 'none')).catch((cause: unknown) => cause)
  await rm(directory, { recursive: true })
  expect(failureOf(error)).toMatchObject({ fault: 'bug', code: 'internal_error' })
  expect(failureOf(new R2eError('fetch_failed', 'transient', 'x'))).toMatchObject({
    fault: 'transient',
    code: 'fetch_failed',
  })
  expect(failureOf(undefined)).toMatchObject({ fault: 'bug', detail: 'undefined' })
})
