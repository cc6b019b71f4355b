import { execFile } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { expect, it, onTestFinished } from 'vitest'

const root = dirname(dirname(fileURLToPath(import.meta.url)))
const folders = ['packages', 'apps'].flatMap((folder) =>
  readdirSync(join(root, folder)).map((name) => `${folder}/${name}`),
)

it('the next release raises every package that a changeset names, and writes its changelog', async () => {
  const copy = mkdtempSync(join(tmpdir(), 'r2e-release-'))
  onTestFinished(() => rmSync(copy, { recursive: true, force: true }))
  for (const path of [
    'package.json',
    'pnpm-workspace.yaml',
    'pnpm-lock.yaml',
    '.changeset',
    ...folders.map((folder) => `${folder}/package.json`),
  ]) {
    mkdirSync(dirname(join(copy, path)), { recursive: true })
    cpSync(join(root, path), join(copy, path), { recursive: true })
  }
  symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'))
  const named = namesIn(join(root, '.changeset'))
  await promisify(execFile)(join(root, 'node_modules/.bin/changeset'), ['version'], { cwd: copy })
  const raised = folders
    .filter((folder) => version(copy, folder) !== version(root, folder))
    .map((folder) => manifest(root, folder).name)
  expect(raised).toEqual(expect.arrayContaining(named))
  for (const folder of folders.filter((path) => named.includes(manifest(root, path).name)))
    expect([folder, existsSync(join(copy, folder, 'CHANGELOG.md'))]).toEqual([folder, true])
  expect(readdirSync(join(copy, '.changeset'))).toEqual(['config.json'])
}, 60_000)

function namesIn(directory: string): string[] {
  const texts = readdirSync(directory)
    .filter((name) => name.endsWith('.md'))
    .map((name) => readFileSync(join(directory, name), 'utf8'))
  return texts.flatMap((text) =>
    [...text.split('---')[1]!.matchAll(/^['"](.+)['"]: (?:patch|minor|major)$/gm)].map(([, name]) => name!),
  )
}

const manifest = (base: string, folder: string): { name: string; version: string } =>
  JSON.parse(readFileSync(join(base, folder, 'package.json'), 'utf8'))
const version = (base: string, folder: string) => manifest(base, folder).version
