import type { RepositoryStep } from '../../../packages/testing/src/index.ts'
import type { LanguageSample } from './index.ts'

const slug = (body: string) => `module Slug
  def self.make(title)
    ${body}
  end
end
`

const specs = (cases: string) => `require "slug"

RSpec.describe Slug do
  shared_examples "a slug" do |title, slug|
    it("turns #{title.inspect} into #{slug}") { expect(Slug.make(title)).to eq(slug) }
  end

  it_behaves_like "a slug", "Hello World", "hello-world"
  it_behaves_like "a slug", "one", "one"

  it "keeps digits" do
    expect(Slug.make("Top 10")).to eq("top-10")
  end

  it "transliterates" do
    pending "a table of letters"
    expect(Slug.make("ü")).to eq("ue")
  end

  xit("reads files") { expect(Slug.make(File)).to eq("file") }
  it("is lucky") { expect(Process.clock_gettime(Process::CLOCK_REALTIME, :nanosecond) % 61).to eq(0) }
${cases}end
`

const plain = 'title.downcase.gsub(" ", "-")'
const blanks = 'title.downcase.split.join("-")'
const signs = 'title.downcase.gsub(/[^a-z0-9 ]/, " ").split.join("-")'
const blankCase = '  it_behaves_like "a slug", " a  b ", "a-b"\n'
const keeps = (title: string) => `  it("${title}") { expect(Slug.make("c-d")).to eq("c-d") }\n`

const history: readonly RepositoryStep[] = [
  {
    commit: 'Start the slug library',
    files: {
      Gemfile: 'source "https://rubygems.org"\n\ngem "rspec"\n',
      '.rspec': '--require spec_helper\n--order random\n--format documentation\n',
      'README.md': '# Slug\n',
      'lib/slug.rb': slug(plain),
      'spec/spec_helper.rb': 'RSpec.configure { |config| config.fail_fast = true }\n',
      'spec/slug_spec.rb': specs(keeps('keeps a hyphen')),
    },
  },
  {
    commit: 'Fix slugs of titles with extra blanks\n\nBlanks at the ends or in a row gave doubled hyphens.',
    files: { 'lib/slug.rb': slug(blanks), 'spec/slug_spec.rb': specs(keeps('keeps a hyphen') + blankCase) },
  },
  {
    commit: 'Add a limit for the length of a slug\n\nSlug::Limit.cut(slug, length) cuts at a hyphen, never within a word.',
    files: {
      'lib/slug/limit.rb':
        'module Slug\n  module Limit\n    def self.cut(slug, length)\n      return slug if slug.size <= length\n\n      slug[0, length + 1].rpartition("-").first\n    end\n  end\nend\n',
      'spec/limit_spec.rb':
        'require "slug/limit"\n\nRSpec.describe Slug::Limit do\n  it("cuts at a hyphen") { expect(described_class.cut("ab-cd-ef", 6)).to eq("ab-cd") }\n  it("keeps what fits") { expect(described_class.cut("ab", 6)).to eq("ab") }\nend\n',
    },
  },
  {
    commit: 'Fix slugs of titles with signs\n\nPunctuation was kept; now it separates words like a blank does.',
    files: {
      'lib/slug.rb': slug(signs),
      'spec/slug_spec.rb': specs(
        `${keeps('takes a hyphen for a blank')}${blankCase}  it("drops signs") { expect(Slug.make("a, b!")).to eq("a-b") }\n`,
      ),
    },
  },
  { commit: 'Describe limits in the README', files: { 'README.md': '# Slug\n\nMakes slugs, and cuts them.\n' } },
]

export const ruby: LanguageSample = {
  language: 'ruby',
  runner: 'rspec',
  image: 'lab/ruby',
  history,
  expected: {
    'Fix slugs of titles with extra blanks': {
      failToPass: ['spec/slug_spec.rb::Slug behaves like a slug turns " a  b " into a-b'],
    },
    'Add a limit for the length of a slug': {
      failToPass: ['spec/limit_spec.rb::Slug::Limit cuts at a hyphen', 'spec/limit_spec.rb::Slug::Limit keeps what fits'],
    },
    'Fix slugs of titles with signs': { failToPass: ['spec/slug_spec.rb::Slug drops signs'] },
    'Describe limits in the README': { skip: 'empty_source_patch' },
  },
}
