import type { LanguagePack } from '@r2e/spec'
import { weigh } from '../weight.ts'
import { goOwnsTest } from './owns-test.ts'
import { goRecipes } from './recipe.ts'
import { goRole } from './roles.ts'
import { goRunner } from './runner.ts'
import { goTestCases } from './test-cases.ts'

export const goPack: LanguagePack = {
  contract: 'r2e.language/1',
  name: 'go',
  aliases: ['golang'],
  detect: (paths) => weigh(paths, { files: /\.go$/, manifests: ['go.mod', 'go.work'], locks: ['go.sum'] }),
  role: goRole,
  manifests: ['go.mod', 'go.sum', 'go.work', 'go.work.sum'],
  // Not go.mod: a solution may need to change it, and what it could do there it can do in any source file.
  runnerFiles: ['go.work', 'go.work.sum'],
  purge: { names: ['*_test.go', 'go.work', 'go.work.sum'], folders: [], skip: ['.git', 'node_modules', 'vendor'] },
  testCases: (path, source) => (path.endsWith('_test.go') ? goTestCases(source) : []),
  ownsTest: goOwnsTest,
  runners: [goRunner],
  recipes: goRecipes,
}
