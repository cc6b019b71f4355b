import type { RecipeFile } from '@r2e/spec'

/** Libraries of a test helper that only measure, report or debug, and Bundler, which has nothing to choose from. */
const modules: Readonly<Record<string, string>> = {
  bundler: 'Bundler',
  'bundler/setup': 'Bundler',
  simplecov: 'SimpleCov',
  'simplecov-console': 'SimpleCov',
  'simplecov-lcov': 'SimpleCov',
  'simplecov-cobertura': 'SimpleCov',
  coveralls: 'Coveralls',
  'codeclimate-test-reporter': 'CodeClimate',
  codecov: 'SimpleCov',
  byebug: 'Byebug',
  pry: 'Pry',
  'pry-byebug': 'Pry',
  debug: 'DEBUGGER__',
}

/** Files below `lib/` that let a helper require what is not there; every call and constant of theirs does nothing. */
export const standIns: readonly RecipeFile[] = Object.entries(modules).map(([library, name]) => ({
  path: `lib/${library}.rb`,
  text: `module ${name}
  class << self
    def method_missing(*, **) = self

    def respond_to_missing?(*) = true

    def const_missing(_name) = self
  end
end
`,
}))
