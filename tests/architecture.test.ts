import { readdir, readFile } from 'node:fs/promises'
import { dirname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'

const root = dirname(dirname(fileURLToPath(import.meta.url)))

/** Layer of each package; an import may only go to a lower one. The engine alone may use its sibling layer's grader. */
const layers: Record<string, number> = {
  '@r2e/spec': 0,
  '@r2e/reward': 1,
  '@r2e/kit': 2,
  '@r2e/languages': 2,
  '@r2e/grader': 2,
  '@r2e/engine': 3,
  '@r2e/bootstrap': 3,
  '@r2e/source': 3,
  '@r2e/sandbox': 3,
  '@r2e/model': 3,
  '@r2e/pipeline-commit-runtime': 3,
  '@r2e/pipeline-pr-diff': 3,
  '@r2e/cli': 4,
}
/** What only tests may use. */
const testing = '@r2e/testing'
const browserSafe = ['@r2e/spec', '@r2e/reward', '@r2e/kit', '@r2e/languages']

interface Package {
  readonly name: string
  readonly directory: string
  readonly manifest: Record<string, Record<string, string> | undefined>
  readonly sources: readonly Source[]
}

interface Source {
  readonly path: string
  readonly text: string
  readonly imports: readonly string[]
}

const packages = await readPackages()

describe('the architecture', () => {
  it('gives every package a layer', () => {
    expect(packages.map(({ name }) => name).sort()).toEqual([...Object.keys(layers), testing].sort())
  })

  it('lets dependencies point down only', () => {
    const wrong = packages.flatMap((from) =>
      dependencies(from)
        .filter((to) => !mayUse(from.name, to))
        .map((to) => `${from.name} → ${to}`),
    )
    expect(wrong).toEqual([])
  })

  it('lets imports point down only, and only to what the manifest names', () => {
    const wrong = packages.flatMap((from) =>
      from.sources.flatMap((source) =>
        source.imports
          .filter((to) => to.startsWith('@r2e/'))
          .map(packageOf)
          .filter((to) => !mayUse(from.name, to) || !dependencies(from).includes(to))
          .map((to) => `${relative(root, source.path)} → ${to}`),
      ),
    )
    expect(wrong).toEqual([])
  })

  it('keeps Node out of what must run anywhere', () => {
    const wrong = packages
      .filter(({ name }) => browserSafe.includes(name))
      .flatMap(({ sources }) => sources)
      .filter(({ text, imports }) => imports.some((to) => to.startsWith('node:')) || /\bprocess\.\w/.test(text))
      .map(({ path }) => relative(root, path))
    expect(wrong).toEqual([])
  })

  it('reads the environment and writes to the terminal in the command line alone', () => {
    const wrong = packages
      .filter(({ name }) => name !== '@r2e/cli' && name !== testing)
      .flatMap(({ sources }) => sources)
      .filter(({ text }) => /\bconsole\.|\bprocess\.(env|cwd|exit|argv|stdout|stderr)\b/.test(text))
      .map(({ path }) => relative(root, path))
    expect(wrong).toEqual([])
  })

  it('keeps third-party pipelines free of the engine: peers are spec and kit', () => {
    for (const { name, manifest } of packages.filter((entry) => entry.name.startsWith('@r2e/pipeline-')))
      expect([name, Object.keys(manifest.peerDependencies ?? {}).sort()]).toEqual([name, ['@r2e/kit', '@r2e/spec']])
  })

  it('keeps every index a table of contents', () => {
    const wrong = packages
      .flatMap(({ sources }) => sources)
      .filter(({ path, text }) => path.endsWith('/index.ts') && /^export \*|^(const|function|class|let) /m.test(text))
      .map(({ path }) => relative(root, path))
      .filter((path) => !path.startsWith('packages/languages/src/') && !path.startsWith('packages/pipeline-'))
    expect(wrong).toEqual([])
  })
})

function mayUse(from: string, to: string): boolean {
  if (from === testing) return ['@r2e/spec', '@r2e/reward', '@r2e/kit'].includes(to)
  const [above, below] = [layers[from], layers[to]]
  return above !== undefined && below !== undefined && below < above
}

function dependencies({ manifest }: Package): string[] {
  const named = { ...manifest.dependencies, ...manifest.peerDependencies }
  return Object.keys(named).filter((name) => name.startsWith('@r2e/'))
}

const packageOf = (specifier: string) => specifier.split('/').slice(0, 2).join('/')

async function readPackages(): Promise<Package[]> {
  const folders = [...(await children('packages')), ...(await children('apps'))]
  return Promise.all(
    folders.map(async (directory) => {
      const manifest = JSON.parse(await readFile(join(directory, 'package.json'), 'utf8'))
      return { name: manifest.name, directory, manifest, sources: await readSources(join(directory, 'src')) }
    }),
  )
}

async function children(folder: string): Promise<string[]> {
  const entries = await readdir(join(root, folder), { withFileTypes: true })
  return entries.filter((entry) => entry.isDirectory()).map((entry) => join(root, folder, entry.name))
}

async function readSources(directory: string): Promise<Source[]> {
  const names = await readdir(directory, { recursive: true })
  const paths = names.filter(
    (name) => name.endsWith('.ts') && !name.endsWith('.test.ts') && !name.includes('__fixtures__'),
  )
  return Promise.all(
    paths.map(async (name) => {
      const text = await readFile(join(directory, name), 'utf8')
      return { path: join(directory, name), text, imports: importsOf(text) }
    }),
  )
}

function importsOf(text: string): string[] {
  return [...text.matchAll(/(?:from|import)\s*\(?\s*'([^']+)'/g)].map((match) => match[1]!)
}
