import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'
import { r2e } from './__fixtures__/spawn-cli.ts'

const hook = fileURLToPath(new URL('./__fixtures__/log-modules.mjs', import.meta.url))

/** Packages and own files that a command line loads. */
async function loaded(...words: string[]): Promise<{ stdout: string; packages: string[]; own: number }> {
  const { stdout, stderr } = await r2e(words, { node: ['--import', hook] })
  const urls = stderr.split('\n').filter((line) => line.startsWith('loaded '))
  const packages = urls.flatMap((url) => /.*\/node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(url)?.[1] ?? [])
  return {
    stdout,
    packages: [...new Set(packages)].sort(),
    own: urls.filter((url) => url.includes('/apps/cli/src/')).length,
  }
}

it('answers --version from two files and no package', async () => {
  const { version } = JSON.parse(await readFile(new URL('../package.json', import.meta.url), 'utf8'))
  expect(await loaded('--version')).toEqual({ stdout: `${version}\n`, packages: [], own: 2 })
  expect(await loaded('-V')).toEqual({ stdout: `${version}\n`, packages: [], own: 2 })
})

it('answers help from the parser and the tables of commands alone', async () => {
  for (const words of [['--help'], ['generate', '--help'], ['help', 'generate']]) {
    const { stdout, packages, own } = await loaded(...words)
    expect(stdout).toContain('Usage: r2e')
    expect(packages).toEqual(['commander'])
    expect(own).toBeLessThan(12)
  }
})
