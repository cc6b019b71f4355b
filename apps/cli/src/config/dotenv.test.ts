import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { folder } from '../__fixtures__/spawn-cli.ts'
import { readEnvironment } from './dotenv.ts'

it('reads the nearest .env upwards and never overrides a variable that is set', async () => {
  const root = await folder({ '.env': 'R2E_SEED=1\nexport R2E_STRICT="true"\n# c\nTOKEN=from-file\n' })
  await mkdir(join(root, 'a/b'), { recursive: true })
  const { values, file } = await readEnvironment(join(root, 'a/b'), { TOKEN: 'from-process', EMPTY: '' })
  expect(values).toEqual({ R2E_SEED: '1', R2E_STRICT: 'true', TOKEN: 'from-process', EMPTY: '' })
  expect(file).toBe(join(root, '.env'))
})

it('is content without a .env, and a folder of that name is none', async () => {
  const root = await folder()
  await mkdir(join(root, '.env'))
  expect((await readEnvironment(root, { A: '1' })).values.A).toBe('1')
})
