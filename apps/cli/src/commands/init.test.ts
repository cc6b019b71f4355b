import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { inProcess } from '../__fixtures__/in-process.ts'
import { folder, r2e } from '../__fixtures__/spawn-cli.ts'

const command = ['config', 'print', '--json', '--config']

it('writes a sample that parses strictly as it stands', async () => {
  const cwd = await folder()
  const { stdout } = await inProcess(['init'], { cwd })
  expect(stdout).toBe(
    'wrote repo2rlenv.config.yaml\nnext     edit repo.url in it, then: r2e generate --config repo2rlenv.config.yaml --dry-run',
  )
  const { config } = JSON.parse((await inProcess([...command, 'repo2rlenv.config.yaml'], { cwd })).stdout)
  expect(config).toMatchObject({ repo: { url: cwd }, pipeline: { name: 'commit_runtime', options: { limit: 10 } } })
})

it('writes a sample whose every commented value parses strictly when switched on', async () => {
  const cwd = await folder()
  await inProcess(['init', '--out', 'c.yml'], { cwd })
  const text = await readFile(join(cwd, 'c.yml'), 'utf8')
  const switchedOn = text.replaceAll(/^( *)# ( *[a-z_]+:)/gm, '$1$2')
  expect(switchedOn.match(/^ *[a-z_]+:/gm)!.length).toBeGreaterThan(30)
  await writeFile(join(cwd, 'c.yml'), switchedOn)
  const { config } = JSON.parse((await inProcess([...command, 'c.yml'], { cwd })).stdout)
  expect(config).toMatchObject({ sandbox: { timeout_sec: 600 }, bootstrap: { languages_hint: ['python'] }, seed: 0 })
})

it('keeps a file that exists, exit 1, unless --force is given', async () => {
  const cwd = await folder({ 'mine.yaml': 'precious' })
  const refused = await r2e(['init', '--out', 'mine.yaml'], { cwd })
  expect(refused).toMatchObject({
    code: 1,
    stdout: '',
    stderr: expect.stringMatching(/^file_exists: mine\.yaml exists\n/),
  })
  expect(await readFile(join(cwd, 'mine.yaml'), 'utf8')).toBe('precious')
  expect((await r2e(['init', '--out', 'mine.yaml', '--force', '--json'], { cwd })).stdout).toBe(
    `{"file":"${join(cwd, 'mine.yaml')}"}\n`,
  )
  expect(await readFile(join(cwd, 'mine.yaml'), 'utf8')).not.toBe('precious')
})

it('refuses a folder that does not exist and a name that is not YAML', async () => {
  const cwd = await folder()
  await expect(inProcess(['init', '--out', 'no/c.yaml'], { cwd })).rejects.toMatchObject({ code: 'no_folder' })
  await expect(inProcess(['init', '--out', 'c.toml'], { cwd })).rejects.toMatchObject({ code: 'unknown_format' })
})
