import type { LanguageSample } from './index.ts'

const manifest = (test: string, packages: Readonly<Record<string, string>>) =>
  `${JSON.stringify({ name: 'slug', version: '1.0.0', scripts: { test }, devDependencies: packages }, null, 2)}\n`

const slug = (body: string) => `exports.slug = (title) => ${body}\n`
const before = slug("title.toLowerCase().replaceAll(' ', '-')")
const after = slug("title.trim().toLowerCase().replaceAll(' ', '-')")

interface Runner extends Pick<LanguageSample, 'runner' | 'selects'> {
  readonly test: string
  readonly packages?: Readonly<Record<string, string>>
  /** Where its test lies. */
  readonly path: string
  /** A test file that also holds these cases. */
  file(...cases: readonly string[]): string
  /** The case that the fix brings. */
  readonly fixed: string
  readonly failToPass: readonly string[]
  readonly keeps: readonly string[]
}

/** One fix of a small library, tested by one runner. */
const sample = ({ test, packages = {}, path, file, fixed, failToPass, keeps, ...more }: Runner): LanguageSample => ({
  language: 'javascript',
  ...more,
  image: 'lab/node',
  history: [
    {
      commit: 'Start the slug library',
      date: '2025-07-01T12:00:00Z',
      files: {
        'package.json': manifest(test, packages),
        '.gitignore': 'node_modules/\n',
        'lib/slug.js': before,
        [path]: file(),
      },
    },
    {
      commit: 'Fix slugs of titles with extra blanks\n\nBlanks at the ends of a title gave hyphens where nothing is expected.',
      files: { 'lib/slug.js': after, [path]: file(fixed) },
    },
  ],
  expected: { 'Fix slugs of titles with extra blanks': { failToPass, keeps } },
})

const nested = (opening: string, ...cases: readonly string[]) =>
  `const assert = require('node:assert')
${opening}const { slug } = require('../lib/slug.js')

const same = (title, wanted) => () => assert.equal(slug(title), wanted)

describe('slug', () => {
  describe('of (odd) titles', () => {
    it('keeps a.b', same('A.b', 'a.b'))
    it('keeps a+b', same('A+b', 'a+b'))
${cases.map((text) => `    ${text}\n`).join('')}  })
  it('keeps a', same('A', 'a'))
})
`
const trims = "it('trims blanks > all of them', same(' a ', 'a'))"
const ids = (path: string) => ({
  path,
  failToPass: [`${path}::slug > of (odd) titles > trims blanks \\> all of them`],
  keeps: [`${path}::slug > keeps a`, `${path}::slug > of (odd) titles > keeps a.b`],
})

export const jest = sample({
  runner: 'jest',
  test: 'jest',
  packages: { jest: '^29.7.0' },
  ...ids('test/slug.test.js'),
  file: (...cases) => nested('', ...cases),
  fixed: trims,
})

export const mocha = sample({
  runner: 'mocha',
  test: 'mocha',
  packages: { mocha: '^10.8.0' },
  ...ids('test/slug.js'),
  file: (...cases) => nested('', ...cases),
  fixed: trims,
})

export const nodeTest = sample({
  runner: 'node-test',
  test: 'node --test',
  ...ids('test/slug.test.js'),
  file: (...cases) => nested("const { describe, it } = require('node:test')\n", ...cases),
  fixed: trims,
})

export const ava = sample({
  runner: 'tap',
  selects: 'file',
  test: 'ava',
  packages: { ava: '^6.2.0' },
  path: 'test/slug.js',
  file: (...cases) => `const test = require('ava')
const { slug } = require('../lib/slug.js')

test('keeps a', (t) => t.is(slug('A'), 'a'))
test('keeps a.b', (t) => t.is(slug('A.b'), 'a.b'))
${cases.map((text) => `${text}\n`).join('')}`,
  fixed: "test('trims blanks', (t) => t.is(slug(' a '), 'a'))",
  failToPass: ['test/slug.js::trims blanks'],
  keeps: ['test/slug.js::keeps a', 'test/slug.js::keeps a.b'],
})
