import type { LanguagePack } from '@r2e/spec'
import { ownedByFile } from '../owned-by-file.ts'
import { weigh } from '../weight.ts'
import { phpunitRunner } from './phpunit-runner.ts'
import { phpRecipes } from './recipe.ts'
import { phpRole } from './roles.ts'
import { configurations } from './suite.ts'
import { phpTestCases } from './test-cases.ts'

export const phpPack: LanguagePack = {
  contract: 'r2e.language/1',
  name: 'php',
  detect: (paths) => weigh(paths, { files: /\.php$/, manifests: ['composer.json'], locks: ['composer.lock'] }),
  role: phpRole,
  manifests: ['composer.json', 'composer.lock', ...configurations, '.php-version', '.tool-versions'],
  runnerFiles: configurations,
  purge: {
    names: [...configurations, '*Test.php', '*.phpt', '.phpunit.result.cache', '.phpunit.cache', '.r2e-phpunit-*'],
    folders: [],
    skip: ['.git', 'node_modules', 'vendor'],
  },
  testCases: (path, source) => (path.endsWith('.php') ? phpTestCases(source) : []),
  ownsTest: ownedByFile,
  runners: [phpunitRunner],
  recipes: phpRecipes,
}
