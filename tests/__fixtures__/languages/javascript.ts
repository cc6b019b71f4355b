import type { RepositoryStep } from '../../../packages/testing/src/index.ts'
import type { LanguageSample } from './index.ts'

const manifest = `{
  "name": "slug",
  "version": "1.0.0",
  "type": "module",
  "scripts": { "test": "vitest run" },
  "devDependencies": { "vitest": "^3.2.0" }
}
`

const slug = (body: string) => `/** Turns a title into a slug. */
export function slug(title: string): string {
  return ${body}
}
`

const test = (cases: string) => `import { describe, expect, it } from 'vitest'
import { slug } from '../src/slug.ts'

describe('slug', () => {
${cases}})
`

const plain = `  it('joins words', () => expect(slug('Hello World')).toBe('hello-world'))
  it.each([
    ['A', 'a'],
    ['A', 'a'],
    ['B C', 'b-c'],
  ])('of %s', (title, want) => expect(slug(title)).toBe(want))
  it.skip('knows umlauts', () => expect(slug('Größe')).toBe('groesse'))
  it.fails('drops marks', () => expect(slug('a!')).toBe('a'))
  it('is never sure', () => expect(process.hrtime.bigint() % 61n).toBe(0n))
`
const blanks = `  it('trims blanks', () => expect(slug(' a ')).toBe('a'))
`
const words = (title: string, extra = '') => `import { expect, it } from 'vitest'
import { words } from '../src/words.ts'

it('counts one word', () => expect(words('a')).toBe(1))
it('${title}', () => expect(words('a b')).toBe(2))
${extra}`

const history: readonly RepositoryStep[] = [
  {
    commit: 'Start the slug library',
    date: '2025-07-01T12:00:00Z',
    files: {
      'package.json': manifest,
      '.gitignore': 'node_modules/\n',
      'src/slug.ts': slug("title.toLowerCase().replaceAll(' ', '-')"),
      'src/words.ts': "export const words = (text: string): number => text.split(' ').length\n",
      'test/slug.test.ts': test(plain),
      'test/words.test.ts': words('counts two words'),
    },
  },
  {
    commit: 'Fix slugs of titles with extra blanks\n\nBlanks at the ends of a title gave hyphens where nothing is expected.',
    files: {
      'src/slug.ts': slug("title.trim().toLowerCase().replaceAll(' ', '-')"),
      'test/slug.test.ts': test(plain + blanks),
    },
  },
  {
    commit: 'Add limit, which cuts a slug at a hyphen\n\nlimit(slug, length) in src/limit.ts returns the longest run of whole words.',
    files: {
      'src/limit.ts': `export function limit(slug: string, length: number): string {
  if (slug.length <= length) return slug
  const cut = slug.lastIndexOf('-', length)
  return slug.slice(0, cut < 0 ? length : cut)
}
`,
      'test/limit.test.ts': `import { expect, it } from 'vitest'
import { limit } from '../src/limit.ts'

it('keeps a short slug', () => expect(limit('a-b', 5)).toBe('a-b'))
it('cuts a long slug at a hyphen', () => expect(limit('long-slug', 6)).toBe('long'))
`,
    },
  },
  {
    commit: 'Fix the count of words between several blanks\n\nTwo blanks in a row counted as a word of their own.',
    files: {
      'src/words.ts': "export const words = (text: string): number => text.split(/ +/).length\n",
      'test/words.test.ts': words(
        'counts both of two words',
        "it('counts no blank', () => expect(words('a  b')).toBe(2))\n",
      ),
    },
  },
  { commit: 'Describe the library in a readme', files: { 'README.md': '# slug\n\nTurns titles into slugs.\n' } },
]

/** A TypeScript library with vitest. It has no lock file, so that versions come from the dates of the commits. */
export const javascript: LanguageSample = {
  language: 'javascript',
  runner: 'vitest',
  selects: /^.*?(?= #|$)/,
  image: 'lab/node',
  history,
  expected: {
    'Fix slugs of titles with extra blanks': {
      failToPass: ['test/slug.test.ts::slug > trims blanks'],
      keeps: ['test/slug.test.ts::slug > joins words', 'test/slug.test.ts::slug > of A #2'],
      loses: [
        'test/slug.test.ts::slug > knows umlauts',
        'test/slug.test.ts::slug > drops marks',
        'test/slug.test.ts::slug > is never sure',
      ],
    },
    // The new test does not load before it.
    'Add limit, which cuts a slug at a hyphen': {
      failToPass: ['test/limit.test.ts::cuts a long slug at a hyphen', 'test/limit.test.ts::keeps a short slug'],
      keeps: ['test/slug.test.ts::slug > joins words'],
    },
    'Fix the count of words between several blanks': {
      failToPass: ['test/words.test.ts::counts no blank'],
      keeps: ['test/words.test.ts::counts both of two words', 'test/slug.test.ts::slug > of B C'],
    },
    'Describe the library in a readme': { skip: 'empty_source_patch' },
  },
}
