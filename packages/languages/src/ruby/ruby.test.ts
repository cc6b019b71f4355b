import type { Recipe } from '@r2e/spec'
import { describe, expect, it } from 'vitest'
import { recipeInput } from '../__fixtures__/recipe-input.ts'
import { formatGemfile, lockedGems, parseGems } from './gems.ts'
import { rubyPack } from './index.ts'
import { minitestRunner } from './minitest-runner.ts'
import { parseRakefile } from './rakefile.ts'
import { rubyRecipes } from './recipe.ts'
import { rubyRole } from './roles.ts'
import { rspecRunner } from './rspec-runner.ts'
import { rubyVersion } from './ruby-version.ts'
import { rubyTestCases } from './test-cases.ts'

const lock = `PATH
  remote: .
  specs:
    own (0.1.0)
      nokogiri (>= 1)

GEM
  remote: https://rubygems.org/
  specs:
    nokogiri (1.16.0-x86_64-linux)
      racc (~> 1.4)
    nokogiri (1.16.0)
    racc (1.7.3)
    rspec (3.12.0)

RUBY VERSION
   ruby 3.2.2p53

BUNDLED WITH
   2.4.0
`
const repository = {
  Gemfile:
    "source 'https://rubygems.org'\ngemspec\ngroup :test do\n  gem 'rubocop', '~> 1.0', require: false\nend\ngem 'local', path: './local'\n",
  'Gemfile.lock': lock,
  'own.gemspec':
    "Gem::Specification.new do |s|\n  s.required_ruby_version = '>= 2.7'\n  s.add_dependency 'nokogiri', '>= 1', '< 2'\n  s.add_development_dependency('rake')\nend\n",
  'lib/own.rb': '',
  'spec/own_spec.rb': "require 'spec_helper'\nRSpec.describe(Own) { it('x') { 1 } }\n",
  'spec/spec_helper.rb': "require 'own'\n",
}
const recipes = await rubyRecipes(recipeInput(repository))

describe('the recipes of Ruby', () => {
  it('are the lock, the declarations without tools, and Debian without Bundler', () => {
    const seen = recipes.map(({ baseImage, system, files, env }) => ({
      baseImage,
      system,
      gemfile: files
        .find(({ path }) => path === 'Gemfile')
        ?.text.split('\n')
        .slice(2, -1),
      bundler: 'BUNDLE_GEMFILE' in env,
    }))
    expect(seen).toEqual([
      {
        baseImage: 'ruby:3.2',
        system: [],
        gemfile: [
          "gem 'nokogiri', '1.16.0'",
          "gem 'rake'",
          "gem 'rubocop', '~> 1.0', require: false",
          "gem 'rspec', '3.12.0'",
          "gem 'racc', '1.7.3', require: false",
        ],
        bundler: true,
      },
      {
        baseImage: 'ruby:3.2',
        system: [],
        gemfile: ["gem 'nokogiri', '>= 1', '< 2'", "gem 'rake'", "gem 'rspec'"],
        bundler: true,
      },
      { baseImage: 'debian:trixie', system: ['rake', 'ruby', 'ruby-nokogiri', 'ruby-rspec'], bundler: false },
    ])
  })

  it('run what the tree holds, the runner of more files first', async () => {
    const tree = { 'test/a_test.rb': "require 'test/unit'", 'test/test_b.rb': '', 'spec/a_spec.rb': 'RSpec' }
    const found = await rubyRecipes(recipeInput(tree))
    expect(found.map(({ runner, suite, system }) => [runner, suite, system.at(-1)])).toEqual([
      ['minitest', ['test/a_test.rb', 'test/test_b.rb'], undefined],
      ['minitest', ['test/a_test.rb', 'test/test_b.rb'], 'ruby-test-unit'],
      ['rspec', ['spec'], undefined],
      ['rspec', ['spec'], 'ruby-rspec'],
    ])
  })

  it('give specs of Minitest to Minitest, and none where there is no test', async () => {
    const specs = { 'spec/a_spec.rb': 'require_relative "helper"', 'spec/helper.rb': 'require "minitest/autorun"' }
    expect((await rubyRecipes(recipeInput(specs)))[0]).toMatchObject({ runner: 'minitest', suite: ['spec/a_spec.rb'] })
    expect(await rubyRecipes(recipeInput({ Gemfile: '', 'a.rb': '' }))).toEqual([])
  })

  it('carry no text of the repository that could run', () => {
    const evil = "gem 'a', '1'; system('x')\ngem \"b#{`x`}\"\ngem 'c', \"2'; x\"\ngem 'd', require: \"e'; x\"\n"
    expect(formatGemfile(parseGems(evil))).toBe(
      "source 'https://rubygems.org'\n\ngem 'a', '1'\ngem 'c', '2'\ngem 'd', require: 'e'\n",
    )
  })

  it('leave out other platforms, local gems, and versions under a condition', () => {
    const text = [
      "gem 'a', platforms: :jruby",
      "gem 'b', platforms: [:mri, :jruby]",
      "gem 'c', :path => '../c'",
      "gem 'd', '< 2' if RUBY_VERSION < '2.6'",
      "gem('e', '~> 1.0', '>= 1.2', git: 'https://example.com/e', ref: '12')",
      '  s.add_runtime_dependency(%q<f>.freeze, [">= 1".freeze, \'< 3\'])',
      '# gem "g"',
    ]
    expect(parseGems(text.join('\n'))).toEqual([
      { name: 'b', requirements: [] },
      { name: 'd', requirements: [] },
      { name: 'e', requirements: ['~> 1.0', '>= 1.2'] },
      { name: 'f', requirements: ['>= 1', '< 3'] },
    ])
  })

  it('follow the blocks of a Gemfile', () => {
    const text = `platform :rbx do
  gem 'rubysl'
end
platforms(:mri, :jruby) do
  gem 'a', '1'
end
%w[x y].each do |lib| # what it may do
  path = lib
  if File.exist?(path)
    gem lib, :path => path
  elsif lib == 'x'
    gem 'x', '~> 1.0', :git => 'https://x.test/x'
  else
    gem 'y', '2'
  end
  gem 'z', '3'
end
if RUBY_VERSION < '2.0' then gem 'no' end
if RUBY_ENGINE == 'jruby'
  gem 'jdbc'
else
  gem 'sqlite3', '~> 1'
end
version = case RUBY_VERSION
          when '2' then '1'
          else '2'
          end
unless ENV['CI']
  group :development do
    gem 'pry', '1'
  end
end
gem 'b', platforms: [:jruby, :mri]
gem 'last', '>= 4'
`
    expect(parseGems(text)).toEqual([
      { name: 'a', requirements: ['1'] },
      { name: 'x', requirements: [] },
      { name: 'y', requirements: [] },
      { name: 'z', requirements: ['3'] },
      { name: 'sqlite3', requirements: [] },
      { name: 'pry', requirements: [] },
      { name: 'b', requirements: [] },
      { name: 'last', requirements: ['>= 4'] },
    ])
  })

  it('read locked versions once for all platforms', () => {
    expect([...lockedGems(lock)]).toEqual([
      ['nokogiri', '1.16.0'],
      ['racc', '1.7.3'],
      ['rspec', '3.12.0'],
    ])
  })

  it('read how a Rakefile loads tests', () => {
    const rakefile = `Rake::TestTask.new do |t|
  t.libs << "test" << "test/lib" # << "not"
  t.libs.push('../out', 'core')
  t.ruby_opts << "-rhelper" << "-w"
end`
    expect(parseRakefile(rakefile)).toEqual({ folders: ['test', 'test/lib', 'not', 'core'], libraries: ['helper'] })
  })
})

describe('the version of Ruby', () => {
  const rows: readonly [Parameters<typeof rubyVersion>[0], string][] = [
    [{ file: 'ruby-3.1.4\n' }, '3.1'],
    [{ file: '3.9.0' }, '3.4'],
    [{ file: 'jruby-9.4' }, '3.3'],
    [{ toolVersions: 'nodejs 20\nruby 3.0.6\n' }, '3.0'],
    [{ gemfile: 'ruby "~> 3.2.0"' }, '3.2'],
    [{ lock }, '3.2'],
    [{ gemspec: 's.required_ruby_version = ">= 2.3"' }, '3.3'],
    [{ gemspec: 's.required_ruby_version = [">= 2.3", "< 3.2"]' }, '3.1'],
    [{ gemspec: 's.required_ruby_version = ">= 3.4"' }, '3.4'],
    [{ gemspec: 's.required_ruby_version = "~> 2.5"' }, '2.7'],
    [{}, '3.3'],
  ]
  for (const [texts, version] of rows)
    it(`is ${version} for ${JSON.stringify(texts).slice(0, 60)}`, () => expect(rubyVersion(texts)).toBe(version))
})

describe('the rspec command', () => {
  const [bundled, , debian] = recipes as [Recipe, Recipe, Recipe]

  it('asks for a JSON report in the order of definition, whatever the project configures [B2 B4]', () => {
    expect(rspecRunner.suite(bundled, ['spec/new_spec.rb', 'other/x_spec.rb', 'spec/data.yml'])).toMatchInlineSnapshot(`
      [
        {
          "argv": [
            "bundle",
            "exec",
            "rspec",
            "--require",
            "{tests}/reporters/rspec_loading.rb",
            "--format",
            "json",
            "--out",
            "{report}/0.json",
            "--no-color",
            "--order",
            "defined",
            "--no-fail-fast",
            "--no-profile",
            "spec",
            "other/x_spec.rb",
          ],
          "report": "0.json",
        },
      ]
    `)
    expect(rspecRunner.suite(debian)[0]!.argv[0]).toBe('rspec')
    expect(rspecRunner.suite({ ...debian, testCommand: ['bin/rspec', '-w'] })[0]!.argv.slice(0, 3)).toEqual([
      'bin/rspec',
      '-w',
      '--require',
    ])
  })

  it('runs spec files, and the folder of a data file where no spec was touched', () => {
    const run = (paths: string[]) => rspecRunner.files(debian, paths)[0]!.argv.slice(12)
    expect(run(['spec/a_spec.rb', 'spec/x.yml'])).toEqual(['spec/a_spec.rb'])
    expect(run(['spec/fixtures/x.yml'])).toEqual(['spec/fixtures'])
  })

  const selectors: Readonly<Record<string, readonly string[]>> = {
    'spec/a_spec.rb::A when b returns [c]': ['spec/a_spec.rb', '--example', 'A when b returns [c]'],
    'spec/a_spec.rb::A is called #2': ['spec/a_spec.rb', '--example', 'A is called'],
    'spec/a_spec.rb::A eq #<B:0x>': ['spec/a_spec.rb'],
    'spec/a_spec.rb::A is expected to include 1': ['spec/a_spec.rb'],
    'spec/a_spec.rb::tab\\x09': ['spec/a_spec.rb'],
    '-x/a_spec.rb': ['./-x/a_spec.rb'],
  }
  for (const [id, words] of Object.entries(selectors))
    it(`selects ${id} [X11]`, () => expect(rspecRunner.select(debian, id).argv.slice(12)).toEqual(words))
})

describe('the minitest command', () => {
  const files = { 'test/a_test.rb': 'require "helper"', Rakefile: 't.libs << "test/lib"\nt.ruby_opts << "-rhelper"\n' }

  it('loads test files under the reporter, with the load path of the Rakefile', async () => {
    const [bundled, debian] = (await rubyRecipes(recipeInput(files))) as [Recipe, Recipe]
    expect(minitestRunner.suite(bundled, ['test/new_test.rb', 'test/data.yml'])[0]!.argv).toEqual([
      ...['bundle', 'exec', 'ruby', '-Ilib', '-Itest', '-Ispec', '-Itest/lib'],
      ...['{tests}/reporters/minitest_events.rb', '--out', '{report}/0.jsonl', '-rhelper'],
      ...['test/a_test.rb', 'test/new_test.rb'],
    ])
    expect(
      minitestRunner.files({ ...debian, testCommand: ['ruby', '-W2'] }, ['test/a_test.rb'])[0]!.argv.slice(0, 3),
    ).toEqual([...['ruby', '-W2', '{tests}/reporters/minitest_events.rb']])
  })

  const selectors: Readonly<Record<string, readonly string[]>> = {
    'test/a_test.rb::A#test_m': ['-n', '/^(test_\\d+_)?test_m/', 'test/a_test.rb'],
    'test/a_test.rb::a stack::when full#is (x) #2': ['-n', '/^(test_\\d+_)?is \\(x\\)/', 'test/a_test.rb'],
    'test/a_test.rb::A#t\\x0a': ['test/a_test.rb'],
    'test/a_test.rb': ['test/a_test.rb'],
  }
  for (const [id, words] of Object.entries(selectors))
    it(`selects ${id} [X12]`, async () => {
      const recipe = (await rubyRecipes(recipeInput(files)))[0]!
      expect(minitestRunner.select(recipe, id).argv.slice(11)).toEqual(words)
    })
})

const specs = `# frozen_string_literal: true
LIMIT = 3
OTHER = 4
RSpec.describe Stack do
  let(:size) { 2 }
  let(:unused) { 5 }
  before { fill(1) }

  # it "is no test"
  it "holds LIMIT" do # comment
    expect(size).to eq LIMIT
    text = <<~TEXT
      it "is text" do
    TEXT
  end

  context "when full" do
    it { is_expected.to be_full }
    it_behaves_like "a stack", 1
    its(:size) { should eq 3 }
  end

  describe ".new" do
    specify("takes a block") { expect(1 / 2).to eq(0) }
  end
end
`
const units = `class StackTest < Minitest::Test
  def setup
    @stack = [1]
  end

  def helper = 1

  def test_push
    assert_equal helper, @stack.size
    puts "def test_not
  end"
  end

  test "reads words" do
    assert %w[a test].any?
  end
end
`
const textOf = (source: string, name: string) => rubyTestCases(source).find((item) => item.name === name)?.text

describe('test cases of Ruby', () => {
  it('are examples under the titles around them', () => {
    expect(rubyTestCases(specs).map(({ name }) => name)).toEqual([
      'Stack holds LIMIT',
      'Stack when full is_expected.to be_full',
      'Stack when full a stack',
      'Stack when full :size) { should eq 3',
      'Stack .new takes a block',
    ])
    expect(rubyTestCases(units).map(({ name }) => name.split(' ').at(-1))).toEqual(['test_push', 'words'])
  })

  const looped = `describe Shape do
  before do
    skip "not here" if none?
  end
  [1, 2].each do |sides|
    it "has #{sides} sides" do
      expect(sides).to eq 3
    end
  end
  if RUBY_VERSION > "3"
    context "when new" do
      it("is drawn") { 1 }
    end
  else
    it("is old") { 2 }
  end
  RSpec.configure do |config|
    config.before(:each) do
      skip "not here" if none?
    end
  end
  values = list.map do |x|
    x + 1
  end
  it("is last") { 4 }
end
`

  it('are found in loops and conditions', () => {
    expect(rubyTestCases(looped).map(({ name }) => name)).toEqual([
      'Shape has #{sides} sides',
      'Shape when new is drawn',
      'Shape is old',
      'Shape is last',
    ])
  })

  const edits: readonly [title: string, source: string, from: string, to: string, name: string, changes: boolean][] = [
    ['a comment', specs, '# comment', '# other', 'Stack holds LIMIT', false],
    ['blanks', specs, 'to eq LIMIT', 'to  eq   LIMIT', 'Stack holds LIMIT', false],
    ['a definition that it names', specs, '{ 2 }', '{ 3 }', 'Stack holds LIMIT', true],
    ['a definition that it does not name', specs, '{ 5 }', '{ 6 }', 'Stack holds LIMIT', false],
    ['a constant that it names', specs, 'LIMIT = 3', 'LIMIT = 4', 'Stack holds LIMIT', true],
    ['a constant that it does not name', specs, 'OTHER = 4', 'OTHER = 5', 'Stack holds LIMIT', false],
    ['what runs before it', specs, 'fill(1)', 'fill(2)', 'Stack holds LIMIT', true],
    ['text of a here-document', specs, 'is text', 'is other', 'Stack holds LIMIT', true],
    ['a row of the loop around it', looped, '[1, 2]', '[1, 2, 5]', 'Shape has #{sides} sides', true],
    ['a row of a loop beside it', looped, '[1, 2]', '[1, 2, 5]', 'Shape is last', false],
    [
      'a group less before it',
      looped,
      '    it("is old") { 2 }\n',
      '    context("x") do\n      y\n    end\n',
      'Shape is last',
      false,
    ],
    ['the condition around it', looped, '> "3"', '> "2"', 'Shape when new is drawn', true],
    ['a set-up method', units, '[1]', '[2]', 'StackTest < Minitest::Test test_push', true],
    ['a helper that it names', units, 'helper = 1', 'helper = 2', 'StackTest < Minitest::Test test_push', true],
  ]
  for (const [title, source, from, to, name, changes] of edits)
    it(`${changes ? 'change' : 'do not change'} with ${title} [A3]`, () => {
      expect(textOf(source, name)).toBeDefined()
      expect(textOf(source.replace(from, to), name) !== textOf(source, name)).toBe(changes)
    })

  it('take linear time on hostile text', () => {
    for (const unit of [
      '"',
      '`',
      '/',
      '%w[',
      '<<~A\n',
      '(',
      '\\',
      '#\n',
      '=begin\n',
      'it "',
      'describe "a" do\n ',
      'x ',
    ])
      rubyTestCases(unit.repeat(200_000 / unit.length))
  }, 20_000)
})

describe('the role of a Ruby path', () => {
  const roles: Readonly<Record<string, string | undefined>> = {
    'spec/a_spec.rb': 'test',
    'spec/support/shared.rb': 'test',
    'test/helper.rb': 'test',
    'a_test.rb': 'test',
    'test_a.rb': 'test',
    'features/steps/a.rb': 'test',
    'features/a.feature': 'test',
    'engines/x/spec/y.rb': 'test',
    'lib/rspec/support/spec/shell_out.rb': 'source',
    'lib/minitest/test.rb': 'source',
    'lib/own/test_case.rb': 'source',
    'lib/own/a_spec.rb': 'test',
    'app/models/a.rb': 'source',
    'vendor/gems/a/spec/a_spec.rb': 'other',
    'benchmark/a.rb': 'other',
    'gems.rb': 'other',
    'docs/a_spec.rb': undefined,
    Rakefile: undefined,
    'spec/data.yml': undefined,
  }
  for (const [path, role] of Object.entries(roles))
    it(`${path} is ${role ?? 'left to the general rules'} [A1]`, () => expect(rubyRole(path)).toBe(role))
})

describe('a Ruby test id', () => {
  const files = [{ path: 'spec/a_spec.rb', text: '' }]
  const rows: Readonly<Record<string, boolean>> = {
    'spec/a_spec.rb::A b': true,
    'spec/a_spec.rb': true,
    'spec/b_spec.rb::A b': false,
    'spec/a_spec.rb2::A b': false,
  }
  for (const [id, owned] of Object.entries(rows))
    it(`${id} is ${owned ? '' : 'not '}from the hidden file [B19]`, () =>
      expect(rubyPack.ownsTest(files, id)).toBe(owned))
})
