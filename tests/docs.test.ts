import { readdir, readFile, stat } from 'node:fs/promises'
import { dirname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { PRESETS } from '../packages/model/src/openai/presets.ts'
import * as reward from '../packages/reward/src/index.ts'

const root = dirname(dirname(fileURLToPath(import.meta.url)))
const foreign = /^(?:node_modules|dist|out|fixtures|__fixtures__|\..*)$/

interface Page {
  /** Relative to the root. */
  readonly path: string
  readonly text: string
  /** Without code blocks and inline code. */
  readonly prose: string
  readonly blocks: readonly Block[]
}

interface Block {
  readonly language: string
  /** The file that the block says it is taken from. */
  readonly file: string | undefined
  readonly code: string
}

const pages = await Promise.all((await markdownFiles(root)).map(readPage))

describe('the documents', () => {
  it('are there', () => {
    const wanted = ['README.md', 'AGENTS.md', 'CONTRIBUTING.md', 'docs/README.md', 'docs/quickstart.md']
    expect(pages.map(({ path }) => path)).toEqual(expect.arrayContaining(wanted))
  })

  it('quote files as they are [M7]', async () => {
    const quoted = pages.flatMap(({ path, blocks }) => blocks.map((block) => ({ path, ...block })))
    const named = quoted.filter(({ file }) => file !== undefined)
    expect(named.length).toBeGreaterThan(3)
    for (const { path, file, code } of named)
      expect((await readFile(join(root, file!), 'utf8')).includes(code), `${path} quotes ${file}:\n${code}`).toBe(true)
  })

  it('link to files and headings that exist', async () => {
    const broken = await Promise.all(pages.flatMap((page) => links(page).map((link) => brokenLink(page, link))))
    expect(broken.filter((link) => link !== undefined)).toEqual([])
  })

  it('import what the packages export', async () => {
    const imports = pages.flatMap(({ path, blocks }) =>
      blocks.filter(({ language }) => language === 'ts').flatMap(({ code }) => importsOf(code, path)),
    )
    expect(imports.length).toBeGreaterThan(10)
    const wrong = await Promise.all(
      imports.map(async (one) => ((await exportsOf(one.from)).has(one.name) ? [] : [one])),
    )
    expect(wrong.flat()).toEqual([])
  })

  it('list every provider of models with its address and the variable of its key [M7]', () => {
    const { text } = pages.find(({ path }) => path === 'docs/reference/MODELS.md')!
    for (const [name, { endpoint, apiKeyEnv }] of Object.entries(PRESETS))
      expect(text).toContain(`| \`${name}\` | \`${endpoint}\` | ${apiKeyEnv ? `\`${apiKeyEnv}\`` : 'none'} |\n`)
  })

  it('keep the short ones short', () => {
    const limits: [RegExp, number][] = [
      [/^README\.md$/, 120],
      [/^AGENTS\.md$/, 120],
      [/^(packages|apps)\/[^/]+\/README\.md$/, 40],
    ]
    const long = pages.filter(({ path, text }) =>
      limits.some(([name, most]) => name.test(path) && text.trimEnd().split('\n').length > most),
    )
    expect(long.map(({ path }) => path)).toEqual([])
  })

  it('have a page for every package', async () => {
    const folders = await Promise.all(['packages', 'apps'].map(async (top) => foldersIn(top)))
    const paths = pages.map(({ path }) => path)
    expect(folders.flat().filter((folder) => !paths.includes(`${folder}/README.md`))).toEqual([])
  })

  it('list every package in the readme', async () => {
    const readme = pages.find(({ path }) => path === 'README.md')!.text
    const manifests = (await foldersIn('packages')).map((folder) =>
      readFile(join(root, folder, 'package.json'), 'utf8'),
    )
    const names = (await Promise.all(manifests)).map((text) => JSON.parse(text).name as string)
    expect(names.filter((name) => !readme.includes(`\`${name}\``))).toEqual([])
  })

  it('explain every skip reason that the engine gives', async () => {
    const files = await sourcesBelow(join(root, 'packages/engine/src'))
    const texts = await Promise.all(files.map((path) => readFile(path, 'utf8')))
    const given = texts.flatMap((text) => [
      ...[...text.matchAll(/\bskip\(\s*[\w.]+,\s*'([a-z_]+)'/g)].map((match) => match[1]!),
      ...[...text.matchAll(/state: 'skipped', reason: '([a-z_]+)'/g)].map((match) => match[1]!),
    ])
    const specification = pages.find(({ path }) => path === 'docs/reference/SPEC.md')!.text
    const [, section = ''] = specification.split('### Skip reasons of every pipeline')
    const [table = ''] = section.split('\n## ')
    const explained = [...table.matchAll(/^\| `([a-z_]+)` \|/gm)].map((match) => match[1]!)
    expect([...new Set(given)].sort()).toEqual(explained.sort())
  })

  it('call no configuration key idle that something reads', async () => {
    const [, section = ''] = pages.find(({ path }) => path === 'docs/reference/SPEC.md')!.text.split('## 10.')
    const [idle = ''] = section.split('Of `bootstrap.')
    const keys = [...idle.matchAll(/`(?:\w+\.)?(\w+)`/g)].map((match) => match[1]!)
    expect(keys.length).toBeGreaterThan(3)
    const folders = ['engine', 'source', 'bootstrap'].map((name) => sourcesBelow(join(root, 'packages', name, 'src')))
    const files = (await Promise.all(folders)).flat()
    const texts = await Promise.all(files.map((path) => readFile(path, 'utf8')))
    // in quotes it is a value, as of an outcome
    const isRead = (key: string) => texts.some((text) => new RegExp(`(?<!')\\b${key}\\b(?!')`).test(text))
    expect(keys.filter(isRead)).toEqual([])
  })
})

it('runs the code that the readme shows a trainer', () => {
  const { blocks } = pages.find(({ path }) => path === 'README.md')!
  const { code } = blocks.find((block) => block.code.includes('readHarborResult'))!
  const body = code.replace(/^import (\{.*\}) from '@r2e\/reward'$/m, 'const $1 = library')
  const names = ['library', 'result', 'oracle', 'prediction', 'failToPass', 'passToPass']
  const run = new Function(...names, `${body}\nreturn { reward, valid, similarity, resolved }`)
  const trial = { task_name: 'default/a', verifier_result: { rewards: { reward: 1 } } }
  expect(run(reward, trial, '+a\n+b\n', '+a\n+c\n', ['tests/test_text.py::test_slug'], [])).toEqual({
    reward: 1,
    valid: true,
    similarity: 0.5,
    resolved: true,
  })
})

async function markdownFiles(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { withFileTypes: true })
  const kept = entries.filter(({ name }) => !foreign.test(name))
  const below = await Promise.all(
    kept.map((entry) => {
      const path = join(folder, entry.name)
      if (entry.isDirectory()) return markdownFiles(path)
      return entry.name.endsWith('.md') && entry.name !== 'CHANGELOG.md' ? [path] : []
    }),
  )
  return below.flat()
}

async function readPage(file: string): Promise<Page> {
  const text = await readFile(file, 'utf8')
  const fence = /^```(\w*) ?([^\n]*)\n([\s\S]*?)^```$/gm
  const blocks = [...text.matchAll(fence)].map(([, language = '', name = '', code = '']) => ({
    language,
    file: name === '' ? undefined : name,
    code,
  }))
  return { path: relative(root, file), text, blocks, prose: text.replaceAll(fence, '').replaceAll(/`[^`\n]*`/g, '`') }
}

/** Targets of links that stay in this repository. */
function links({ prose }: Page): string[] {
  const targets = [...prose.matchAll(/\]\(([^)\s]+)\)/g)].map((match) => match[1]!)
  return targets.filter((target) => !/^[a-z]+:/.test(target))
}

async function brokenLink({ path }: Page, link: string): Promise<string | undefined> {
  const [file = '', anchor] = link.split('#')
  const target = file === '' ? join(root, path) : join(root, dirname(path), file)
  const found = await stat(target).catch(() => undefined)
  if (!found) return `${path}: ${link}`
  if (anchor === undefined) return undefined
  const headings = [...(await readFile(target, 'utf8')).matchAll(/^#+ (.*)$/gm)].map((match) => slug(match[1]!))
  return headings.includes(anchor) ? undefined : `${path}: ${link}`
}

/** The anchor that forges give a heading. */
function slug(heading: string): string {
  return heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}_ -]/gu, '')
    .replaceAll(' ', '-')
}

interface Import {
  readonly page: string
  readonly name: string
  readonly from: string
}

function importsOf(code: string, page: string): Import[] {
  return [...code.matchAll(/^import \{([^}]*)\} from '(@r2e\/[^']+)'/gm)].flatMap(([, names = '', from = '']) =>
    names.split(',').map((name) => ({ page, name: name.replace(/^\s*type\s/, '').trim(), from })),
  )
}

/** The names in the index of a package or of one of its entries. */
async function exportsOf(specifier: string): Promise<Set<string>> {
  const [, name = '', entry] = specifier.split('/')
  const index = join(root, 'packages', name, 'src', entry ?? '', 'index.ts')
  const statements = (await readFile(index, 'utf8')).matchAll(/export (?:type )?\{([^}]*)\}/g)
  return new Set(
    [...statements].flatMap(([, names = '']) => names.split(',').map((one) => one.replace(/^\s*type\s/, '').trim())),
  )
}

async function foldersIn(top: string): Promise<string[]> {
  const entries = await readdir(join(root, top), { withFileTypes: true })
  return entries.filter((entry) => entry.isDirectory()).map(({ name }) => `${top}/${name}`)
}

async function sourcesBelow(folder: string): Promise<string[]> {
  const names = await readdir(folder, { recursive: true })
  const isSource = (name: string) => /\.ts$/.test(name) && !/\.test\.ts$|__fixtures__/.test(name)
  return names.filter(isSource).map((name) => join(folder, name))
}
