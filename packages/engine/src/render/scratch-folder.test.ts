import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdir, rm } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'
import { makeScratchFolder } from './scratch-folder.ts'

const module = fileURLToPath(new URL('./scratch-folder.ts', import.meta.url))

it('goes with the next one when its process was killed, and stays while its process lives', async () => {
  const script = `import { makeScratchFolder } from ${JSON.stringify(module)}
console.log(await makeScratchFolder())
process.exit()`
  const argv = ['--conditions=@r2e/source', '--input-type=module', '-e', script]
  const abandoned = execFileSync(process.execPath, argv, { encoding: 'utf8' }).trim()
  const foreign = abandoned.replace(/scratch-\d+/, 'scratch-1')
  await mkdir(foreign)
  expect(existsSync(abandoned)).toBe(true)
  const [first, second] = [await makeScratchFolder(), await makeScratchFolder()]
  expect([abandoned, first, second, foreign].map((path) => existsSync(path))).toEqual([false, true, true, true])
  for (const path of [first, second, foreign]) await rm(path, { recursive: true })
})
