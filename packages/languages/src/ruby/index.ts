import type { LanguagePack } from '@r2e/spec'
import { ownedByFile } from '../owned-by-file.ts'
import { baseName } from '../path.ts'
import { weigh } from '../weight.ts'
import { minitestRunner } from './minitest-runner.ts'
import { rubyRecipes } from './recipe.ts'
import { rubyRole } from './roles.ts'
import { rspecRunner } from './rspec-runner.ts'
import { rubyTestCases } from './test-cases.ts'

const helpers = ['spec_helper.rb', 'rails_helper.rb', 'test_helper.rb']
const settings = ['.rspec', '.rspec-local']

export const rubyPack: LanguagePack = {
  contract: 'r2e.language/1',
  name: 'ruby',
  aliases: ['rb'],
  detect: (paths) => weigh(paths, { files: /\.rb$/, manifests: ['Gemfile', 'Rakefile'], locks: ['Gemfile.lock'] }),
  role: rubyRole,
  manifests: ['Gemfile', 'Gemfile.lock', '*.gemspec', '.ruby-version', '.tool-versions', 'Rakefile'],
  runnerFiles: [...settings, ...helpers],
  purge: {
    // Not test_*.rb: `test_case.rb` may be a library. Such a file in a test folder is removed with the folder's others.
    names: [...settings, ...helpers, '*_spec.rb', '*_test.rb', '.bundle'],
    folders: [],
    skip: ['.git', 'node_modules', 'vendor'],
  },
  testCases: (path, source) => (path.endsWith('.rb') && !helpers.includes(baseName(path)) ? rubyTestCases(source) : []),
  ownsTest: ownedByFile,
  runners: [rspecRunner, minitestRunner],
  recipes: rubyRecipes,
}
