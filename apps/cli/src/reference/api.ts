import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type Declaration, meaningOf, readDeclarations } from './declarations.ts'
import { code, table } from './markdown.ts'

/** Block → the file of `@r2e/spec` whose types it shows. */
const PORTS = {
  pipeline: 'pipeline',
  repository: 'repository',
  sandbox: 'sandbox',
  model: 'model',
  language: 'language',
  recipe: 'recipe',
  prover: 'prover',
  report: 'report',
  'run-plan': 'run-plan',
  files: 'files',
  events: 'event',
} as const

/** Block → the index whose exports it shows. */
const EXPORTS = {
  engine: 'engine/src/index.ts',
  reward: 'reward/src/index.ts',
  kit: 'kit/src/index.ts',
  bootstrap: 'bootstrap/src/index.ts',
  languages: 'languages/src/index.ts',
  grader: 'grader/src/index.ts',
  'source-git': 'source/src/git/index.ts',
  'sandbox-docker': 'sandbox/src/docker/index.ts',
  'sandbox-local': 'sandbox/src/local/index.ts',
  'model-layers': 'model/src/index.ts',
  'model-openai': 'model/src/openai/index.ts',
  'model-replay': 'model/src/replay/index.ts',
  testing: 'testing/src/index.ts',
} as const

/** The generated parts of docs/reference/API.md, by name of their mark, read from the sources below `root`. */
export async function apiBlocks(root: string): Promise<Readonly<Record<string, string>>> {
  const packages = join(root, 'packages')
  const ports = Object.entries(PORTS).map(async ([block, file]) => {
    const found = readDeclarations(await readFile(join(packages, 'spec/src', `${file}.ts`), 'utf8'))
    return [block, outside(typesBlock(found.filter(isType)))] as const
  })
  const exported = Object.entries(EXPORTS).map(async ([block, index]) => {
    const found = await readExports(join(packages, index))
    const parts = [valuesTable(found), typesBlock(found.filter(isType))].filter(Boolean)
    return [block, outside(parts.join('\n\n'))] as const
  })
  return Object.fromEntries(await Promise.all([...ports, ...exported]))
}

/** What an index re-exports, each name found where it is declared. */
async function readExports(index: string): Promise<readonly Declaration[]> {
  const text = await readFile(index, 'utf8')
  const statements = [...text.matchAll(/export (?:type )?\{([^}]*)\} from '(\.[^']+)'/g)]
  const found = await Promise.all(
    statements.map(async ([, names = '', file = '']) => {
      const declared = readDeclarations(await readFile(join(index, '..', file), 'utf8'))
      return names
        .split(',')
        .map((name) => name.replace(/^\s*type\s/, '').trim())
        .filter(Boolean)
        .map((name) => declared.find((one) => one.name === name) ?? unknown(name, file))
    }),
  )
  return found.flat().sort((a, b) => (a.name < b.name ? -1 : 1))
}

function unknown(name: string, file: string): never {
  throw new Error(`${file} declares no ${name}`)
}

/** Without references to the design that the readers of the reference do not have. */
function outside(text: string): string {
  return text.replaceAll(/ \(contract §[^)]*\)/g, '')
}

const isType = ({ kind }: Declaration): boolean => kind === 'interface' || kind === 'type'

function valuesTable(all: readonly Declaration[]): string {
  const rows = all
    .filter((one) => !isType(one))
    .map((one) => [
      code(
        one.text
          .split('\n')
          .at(-1)!
          .replace(/^(function|const|class)\*? /, ''),
      ),
      meaningOf(one),
    ])
  return rows.length === 0 ? '' : table(['export', 'meaning'], rows)
}

function typesBlock(all: readonly Declaration[]): string {
  return all.length === 0 ? '' : ['```ts', all.map(({ text }) => text).join('\n\n'), '```'].join('\n')
}
