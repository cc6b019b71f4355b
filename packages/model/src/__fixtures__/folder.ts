import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'

/** A folder that lives as long as the test. */
export async function testFolder(): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), 'r2e-model-'))
  onTestFinished(() => rm(directory, { recursive: true, force: true }))
  return directory
}
