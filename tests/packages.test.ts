import { execFile } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { createContext, runInContext } from 'node:vm'
import { publint } from 'publint'
import { build } from 'vite'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { buildRepository, PIPELINE_HISTORY } from '../packages/testing/src/index.ts'

const run = promisify(execFile)
const root = dirname(dirname(fileURLToPath(import.meta.url)))
const folders = ['packages', 'apps'].flatMap((folder) =>
  readdirSync(join(root, folder)).map((name) => `${folder}/${name}`),
)
const outside = mkdtempSync(join(tmpdir(), 'r2e-packages-'))
const packs = join(outside, 'packs')
const bin = (name: string) => join(outside, 'node_modules/.bin', name)

/** What a trainer or a page may import; `globalThis.answer` is how the bundle tells. */
const program = `
import { diffSimilarity, gradeTests, readHarborResult } from '@r2e/reward'
const diff = 'diff --git a/x b/x\\n--- a/x\\n+++ b/x\\n@@ -1 +1 @@\\n-a\\n+b\\n'
globalThis.answer = JSON.stringify({
  same: diffSimilarity(diff, diff).similarity,
  half: gradeTests(['a', 'b'], [], { a: 'PASSED', b: 'FAILED' }).reward,
  reader: typeof readHarborResult,
})
`
const answer = { same: 1, half: 0.5, reader: 'function' }

beforeAll(async () => {
  mkdirSync(packs)
  const selected = ['--filter', './packages/*', '--filter', './apps/*']
  await run('pnpm', ['-r', ...selected, 'pack', '--pack-destination', packs], { cwd: root, maxBuffer: 2 ** 26 })
  await run('pnpm', ['pack', '--pack-destination', packs], { cwd: join(root, 'examples/custom-pipeline') })
  const files = readdirSync(packs).map((name) => [name.replace(/-\d.*/, ''), `file:./packs/${name}`])
  const names = files.map(([name, file]) => [name!.replace(/^r2e-(?!pipeline-release)/, '@r2e/'), file])
  const dependencies = Object.fromEntries(names.filter(([name]) => name !== '@r2e/testing'))
  writeFileSync(join(outside, 'package.json'), JSON.stringify({ private: true, type: 'module', dependencies }))
  const flags = ['--ignore-scripts', '--no-audit', '--no-fund', '--prefer-offline', '--loglevel=error']
  await run('npm', ['install', ...flags], { cwd: outside })
  writeFileSync(join(outside, 'score.js'), program)
}, 600_000)
afterAll(() => rmSync(outside, { recursive: true, force: true }))

describe('the packed packages', () => {
  it('are one tarball for every package', () => {
    expect(readdirSync(packs)).toHaveLength(folders.length + 1)
  })

  it('hold what their manifests export, and neither tests nor fixtures', async () => {
    for (const pack of readdirSync(packs)) {
      const { stdout } = await run('tar', ['-tzf', join(packs, pack)])
      const names = stdout.split('\n')
      const wrong = names.filter((name) =>
        /\.test\.|\.test-d\.|__fixtures__|\/fixtures\/|\/bench\/|tsbuildinfo/.test(name),
      )
      expect([pack, wrong]).toEqual([pack, []])
      expect([pack, names.includes('package/package.json')]).toEqual([pack, true])
    }
  })

  it('pass publint', async () => {
    for (const folder of folders) {
      const { messages } = await publint({ pkgDir: join(root, folder), strict: true, pack: false })
      expect([folder, messages.map(({ code, path }) => `${code} ${path.join('.')}`)]).toEqual([folder, []])
    }
  })

  it('hold no dependency on the workspace', async () => {
    for (const name of readdirSync(join(outside, 'node_modules/@r2e')))
      expect(await readFile(join(outside, 'node_modules/@r2e', name, 'package.json'), 'utf8')).not.toMatch(
        /"(workspace|catalog):/,
      )
  })
})

describe('@r2e/reward from its tarball', () => {
  it('scores in Node', async () => {
    writeFileSync(join(outside, 'print.js'), "import './score.js'\nprocess.stdout.write(globalThis.answer)\n")
    const { stdout } = await run(process.execPath, ['print.js'], { cwd: outside })
    expect(JSON.parse(stdout)).toEqual(answer)
  })

  it('scores in a browser bundle, where nothing of Node exists', async () => {
    const code = await bundle(join(outside, 'score.js'))
    expect(code).not.toMatch(/node:|require\(|\bprocess\./)
    const page: { answer?: string } & object = { TextEncoder, TextDecoder }
    runInContext(code, createContext(page))
    expect(JSON.parse(page.answer!)).toEqual(answer)
  })
})

describe('the installed command line', () => {
  it('tells its version and its pipelines', async () => {
    const { version } = JSON.parse(await readFile(join(root, 'apps/cli/package.json'), 'utf8'))
    for (const name of ['r2e', 'repo2rlenv'])
      expect((await run(bin(name), ['--version'])).stdout.trim()).toContain(version)
    const { stdout } = await run(bin('r2e'), ['pipelines', 'list'], { cwd: outside })
    expect(stdout).toMatch(/commit_runtime[\s\S]*pr_diff|pr_diff[\s\S]*commit_runtime/)
  })

  it('makes tasks with a pipeline package that it does not know', async () => {
    await buildRepository(join(outside, 'demo'), PIPELINE_HISTORY)
    const words = ['generate', '--repo', './demo', '--pipeline', 'release_notes', '--out', './out']
    const { stdout } = await run(bin('r2e'), words, { cwd: outside })
    expect(stdout).toMatch(/^emitted +[1-9]/m)
    const { tasks, pipeline } = JSON.parse(await readFile(join(outside, 'out/manifest.json'), 'utf8'))
    expect(pipeline).toBe('release_notes')
    expect(stdout).toContain(`emitted ${tasks.at(-1).task_id} `)
    const { stdout: verdict } = await run(bin('r2e'), ['validate', './out', '--deep'], { cwd: outside })
    expect(verdict).toContain(`${tasks.length}`)
  })
})

async function bundle(entry: string): Promise<string> {
  const result = await build({
    root: outside,
    configFile: false,
    logLevel: 'error',
    build: { write: false, minify: false, rolldownOptions: { input: entry, output: { format: 'iife' } } },
  })
  const outputs = (Array.isArray(result) ? result : [result]) as { output: { type: string; code?: string }[] }[]
  return outputs.flatMap(({ output }) => output.map(({ code }) => code ?? '')).join('\n')
}
