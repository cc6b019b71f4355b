import { isR2eError } from '@r2e/spec'
import { expect, it } from 'vitest'
import { folder } from '../__fixtures__/spawn-cli.ts'
import { readConfigFile } from './read-file.ts'

async function read(name: string, text: string) {
  const directory = await folder({ [name]: text })
  return readConfigFile(name, { directory, home: '/home/nobody' })
}

async function fault(name: string, text: string): Promise<string> {
  try {
    await read(name, text)
  } catch (error) {
    if (isR2eError(error)) return `${error.code}: ${error.message}`
    throw error
  }
  throw new Error('nothing was thrown')
}

const same = {
  'c.yaml': 'repo:\n  url: a/b\npipeline:\n  options: {limit: 3}\n',
  'c.yml': '\ufeffrepo: &r\n  url: a/b\npipeline:\n  options:\n    limit: 3\n',
  'c.toml': '[repo]\nurl = "a/b"\n[pipeline.options]\nlimit = 3\n',
  'c.json': '{"repo": {"url": "a/b"},\n\t"pipeline": {"options": {"limit": 3}}}',
}

for (const [name, text] of Object.entries(same)) {
  it(`reads ${name} and knows where each key stands`, async () => {
    const file = await read(name, text)
    expect(file.values).toEqual({ repo: { url: 'a/b' }, pipeline: { options: { limit: 3 } } })
    const lines = text.replace('\ufeff', '').split('\n')
    for (const path of [['repo'], ['repo', 'url'], ['pipeline', 'options', 'limit']]) {
      const { line, column } = file.positionOf(path)!
      expect(lines[line - 1]!.slice(column - 1)).toMatch(new RegExp(`^\\[?"?(pipeline\\.)?(${path.at(-1)}|options)`))
    }
  })
}

it('takes an empty file for an empty configuration', async () => {
  expect((await read('c.yaml', '# nothing\n')).values).toEqual({})
})

it('reads a date as its text in every format', async () => {
  expect((await read('c.toml', 'day = 2024-02-03')).values).toEqual({ day: '2024-02-03' })
  expect((await read('c.yaml', 'day: 2024-02-03')).values).toEqual({ day: '2024-02-03' })
})

it('names file, line and column of a syntax error', async () => {
  expect(await fault('c.yaml', 'repo:\n  url: [a\npipeline: x\n')).toMatch(/^bad_yaml: c\.yaml:3:1: /)
  expect(await fault('c.yaml', 'a: 1\nb: 2\na: 3\n')).toBe('bad_yaml: c.yaml:3:1: Map keys must be unique')
  expect(await fault('c.yaml', 'a: !!js/function x\n')).toMatch(/^bad_yaml: c\.yaml:1:4: /)
  expect(await fault('c.toml', 'a = 1\nb = = 2\n')).toMatch(/^bad_toml: c\.toml:2:5: /)
  expect(await fault('c.json', '{"a": 1,\n "b": }')).toMatch(/^bad_json: c\.json:2:7: /)
  expect(await fault('c.json', '{"a": 1,\n "b": tru }')).toMatch(/^bad_json: c\.json:2:10: /)
  expect(await fault('c.json', '{"a": 1} x')).toMatch(/^bad_json: c\.json:1:10: /)
  expect(await fault('c.json', '{"a": "\n"}')).toMatch(/^bad_json: c\.json:1:8: /)
  expect(await fault('c.json', '{"a": 1')).toMatch(/^bad_json: c\.json:1:8: /)
})

it('refuses what holds no mapping', async () => {
  expect(await fault('c.yaml', '- a\n')).toBe('wrong_type: c.yaml:1:1: the file must hold a mapping')
  expect(await fault('c.json', '3')).toBe('wrong_type: c.json:1:1: the file must hold a mapping')
})

it('refuses an alias bomb', async () => {
  const bomb = ['a0: &a0 [x,x,x,x,x,x,x,x,x]']
  for (let i = 1; i < 9; i++)
    bomb.push(
      `a${i}: &a${i} [${Array(9)
        .fill(`*a${i - 1}`)
        .join(',')}]`,
    )
  expect(await fault('c.yaml', bomb.join('\n'))).toMatch(/^bad_yaml: c\.yaml: Excessive alias count/)
})

it('refuses an unknown format, a missing file, a folder and a huge file', async () => {
  expect(await fault('c.ini', 'a=1')).toMatch(/^unknown_format: c\.ini: /)
  const directory = await folder({ 'big.yaml': '#'.repeat((1 << 20) + 1) })
  const places = { directory, home: directory }
  await expect(readConfigFile('none.yaml', places)).rejects.toMatchObject({ code: 'config_not_found' })
  await expect(readConfigFile('.', places)).rejects.toMatchObject({ code: 'config_not_found' })
  await expect(readConfigFile('big.yaml', places)).rejects.toMatchObject({ code: 'config_too_large' })
  expect((await readConfigFile('~/big.yaml', places).catch((error) => error)).code).toBe('config_too_large')
})
