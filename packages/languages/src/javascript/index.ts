import type { LanguagePack } from '@r2e/spec'
import { ownedByFile } from '../owned-by-file.ts'
import { weigh } from '../weight.ts'
import { javascriptRecipes } from './recipe.ts'
import { javascriptRole, mayHoldCases } from './roles.ts'
import { bunRunner, jestRunner, mochaRunner, nodeTestRunner, tapRunner, vitestRunner } from './runners.ts'
import { fileOf } from './selector.ts'
import { javascriptTestCases } from './test-cases.ts'

const locks = ['package-lock.json', 'npm-shrinkwrap.json', 'pnpm-lock.yaml', 'yarn.lock', 'bun.lock', 'bun.lockb']
const endings = ['js', 'cjs', 'mjs', 'ts', 'cts', 'mts']
const named = (name: string, all: readonly string[] = endings) => all.map((ending) => `${name}.${ending}`)

// Not package.json: a solution may need to change it. vite.config holds the settings of vitest in many projects.
const runnerFiles = [
  ...named('jest.config', [...endings, 'json']),
  ...named('vitest.config'),
  ...named('vitest.workspace', [...endings, 'json']),
  ...named('vite.config'),
  ...named('.mocharc', ['js', 'cjs', 'mjs', 'json', 'jsonc', 'yml', 'yaml']),
  ...named('ava.config', ['js', 'cjs', 'mjs']),
  '.mocharc',
  '.taprc',
  'bunfig.toml',
]

export const javascriptPack: LanguagePack = {
  contract: 'r2e.language/1',
  name: 'javascript',
  aliases: ['js', 'node', 'ts', 'typescript'],
  detect: (paths) =>
    weigh(paths, {
      files: /\.(?:[cm]?[jt]sx?|vue|svelte)$/,
      manifests: ['package.json'],
      locks,
      carried: /(^|\/)(web|www|webapp|frontend|front-end|client|ui|static|assets|public|templates)\//i,
    }),
  role: javascriptRole,
  manifests: ['package.json', ...locks, 'pnpm-workspace.yaml', 'lerna.json', '.npmrc', '.nvmrc', '.node-version'],
  runnerFiles,
  purge: {
    names: [
      ...['*.test', '*.spec'].flatMap((name) => named(name, [...endings, 'jsx', 'tsx'])),
      '*.snap',
      ...runnerFiles,
    ],
    folders: [],
    skip: ['.git', 'node_modules'],
  },
  testCases: (path, source) => (mayHoldCases(path) ? javascriptTestCases(source) : []),
  ownsTest: (files, id) => ownedByFile(files, fileOf(id)),
  runners: [jestRunner, vitestRunner, mochaRunner, nodeTestRunner, tapRunner, bunRunner],
  recipes: javascriptRecipes,
}
