import type { LanguagePack } from '@r2e/spec'
import { weigh } from '../weight.ts'
import { phpOwnsTest } from './owns-test.ts'
import { phpunitRunner } from './phpunit-runner.ts'
import { phpRecipes } from './recipe.ts'
import { phpRole } from './roles.ts'
import { phpTestCases } from './test-cases.ts'

const configurations = ['phpunit.xml', 'phpunit.dist.xml', 'phpunit.xml.dist']

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
  ownsTest: phpOwnsTest,
  runners: [phpunitRunner],
  recipes: phpRecipes,
}
