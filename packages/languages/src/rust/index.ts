import type { LanguagePack } from '@r2e/spec'
import { weigh } from '../weight.ts'
import { rustOwnsTest } from './owns-test.ts'
import { rustRecipes } from './recipe.ts'
import { rustRole } from './roles.ts'
import { cargoRunner } from './runner.ts'
import { rustTestCases } from './test-cases.ts'
import { rustTestPieces } from './test-code.ts'

const runnerFiles = ['rust-toolchain', 'rust-toolchain.toml', 'nextest.toml']

export const rustPack: LanguagePack = {
  contract: 'r2e.language/1',
  name: 'rust',
  aliases: ['rs'],
  detect: (paths) => weigh(paths, { files: /\.rs$/, manifests: ['Cargo.toml'], locks: ['Cargo.lock'] }),
  role: rustRole,
  manifests: ['Cargo.toml', 'Cargo.lock', 'rust-toolchain', 'rust-toolchain.toml'],
  // Not Cargo.toml: a solution may need to change it, and what it could do there it can do in any source file.
  runnerFiles,
  purge: { names: [...runnerFiles, '.cargo'], folders: [], skip: ['.git', 'node_modules', 'target', 'vendor'] },
  testCases: rustTestCases,
  ownsTest: rustOwnsTest,
  inlineTests: (path, text) => (path.endsWith('.rs') ? rustTestPieces(text) : []),
  inSource: (id) => !/^[^/]*\/test:/.test(id),
  runners: [cargoRunner],
  recipes: rustRecipes,
}
