import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { folder, r2e } from '../__fixtures__/spawn-cli.ts'

const patch = (line: string): string =>
  `diff --git a/f b/f\nindex 1..2 100644\n--- a/f\n+++ b/f\n@@ -1,3 +1,4 @@\n a\n b\n+${line}\n c\n`

async function task(): Promise<string> {
  const cwd = await folder({
    'same.patch': patch('x').replaceAll('\n', '\r\n'),
    'other.patch': patch('y'),
    'empty.patch': ' ',
  })
  await mkdir(join(cwd, 'task/solution'), { recursive: true })
  await writeFile(join(cwd, 'task/solution/patch.diff'), patch('x'))
  return cwd
}

it('prints the score of a patch from a file or from standard input', async () => {
  const cwd = await task()
  const score = (file: string, input = '') => r2e(['reward', '--task', 'task', '--prediction', file], { cwd, input })
  expect(await score('same.patch')).toEqual({ code: 0, stdout: '1\n', stderr: '' })
  expect((await score('other.patch')).stdout).toBe(`${12 / 14}\n`)
  expect((await score('-', patch('x'))).stdout).toBe('1\n')
  expect((await score('empty.patch')).stdout).toBe('0\n')
})

it('adds the metadata with --json and takes another metric', async () => {
  const cwd = await task()
  const run = async (...words: string[]) =>
    JSON.parse(
      (await r2e(['reward', '--task', 'task', '--prediction', 'other.patch', '--json', ...words], { cwd })).stdout,
    )
  expect(await run()).toMatchObject({
    metric: 'ratio_v07',
    status: 'ok',
    pred_lines: 7,
    oracle_lines: 7,
    matched_lines: 6,
  })
  expect(await run('--metric', 'changed_lines')).toMatchObject({ metric: 'changed_lines', status: 'ok' })
})

it('names a missing file and exits 2', async () => {
  const cwd = await task()
  const missing = await r2e(['reward', '--task', 'task', '--prediction', 'none'], { cwd })
  expect(missing).toMatchObject({
    code: 2,
    stdout: '',
    stderr: `file_not_found: cannot read none: ENOENT\n  fix: looked at ${cwd}/none\n`,
  })
  const noTask = await r2e(['reward', '--task', 'no', '--prediction', '-'], { cwd })
  expect(noTask.stderr).toContain('cannot read no/solution/patch.diff: ENOENT')
  const metric = await r2e(['reward', '--task', 'task', '--prediction', '-', '--metric', 'x'], { cwd })
  expect(metric).toMatchObject({ code: 2, stderr: 'wrong_value: --metric must be ratio_v07 or changed_lines, got x\n' })
})

it('gives no number where the patches are too large', async () => {
  const cwd = await task()
  const input = '+x\n'.repeat(120_000)
  const words = ['reward', '--task', 'task', '--prediction', '-']
  const result = await r2e(words, { cwd, input })
  expect(result).toMatchObject({ code: 1, stdout: '', stderr: expect.stringMatching(/^too_large: /) })
  const json = await r2e([...words, '--json'], { cwd, input })
  expect(json.code).toBe(1)
  expect(JSON.parse(json.stdout)).toMatchObject({ status: 'too_large', similarity: null })
})
