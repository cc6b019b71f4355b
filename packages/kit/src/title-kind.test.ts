import { describe, expect, it } from 'vitest'
import { changeCategory, changeType, hasFixSignal } from './change-type.ts'
import { countWords } from './count-words.ts'
import { isBot, isBotBranch } from './is-bot.ts'
import { oneLine } from './one-line.ts'
import { titleKind } from './title-kind.ts'

const KINDS: Readonly<Record<string, readonly string[]>> = {
  revert: ['Revert "Keep blanks"', 'revert: keep blanks', 'Reverts #12', 'Revert 0a1b2c3d'],
  backport: [
    '[Backport 3.x] keep blanks',
    'Backport #12 to 3.x',
    '[3.11] keep blanks',
    'Keep blanks (backport #1)',
    'Cherry-pick 0a1b2c3',
    'Keep blanks (cherry picked from commit 0a1b2c3)',
  ],
  release: [
    'Release 8.4.0',
    'release version 8.4.0',
    'Prepare release',
    'v1.2.3',
    'Version 3.0',
    'start version 8.5.0',
    'Pre-8.5.0 release changelog',
    'chore(release): 1.2.3',
    'chore: release v2.0.1',
    'Version Packages',
  ],
  bump: [
    'Bump lodash from 4.1 to 4.2',
    'build(deps): bump the python group with 2 updates',
    'Bump version',
    'Update dependency foo to v2',
    'Update all GitHub actions',
    'Bump to 1.2.3',
  ],
  branch_merge: [
    "Merge branch 'stable'",
    "Merge remote-tracking branch 'upstream/stable' into merge-stable-into-main",
    'Merge stable into main (#3521)',
    'Merge `stable` into `main` after conversion',
    'merge main into stable to synchronize commits.',
    'Sync with upstream/main',
    'Merge stable into main.',
  ],
}
const ORDINARY = [
  'fix release of lock',
  'Release the lock when a reader dies',
  'Bump allocator leaks memory',
  'Merge adjacent spans into one',
  'Reverted rows keep their colour',
  'Revert button stays disabled',
  'Sync writes to disk before rename',
  'Upgrade handler drops headers',
  'Backporting tool crashes on empty input',
  'Version option prints twice',
  'Update to the cursor is lost',
  'Merge options from parents into children',
  'Add `@custom_version_option`, freeze `@version_option`',
  'fix: prepare release of buffers',
  '[parser] 3.5 is read as 3',
]

describe('titleKind', () => {
  for (const [kind, titles] of Object.entries(KINDS))
    for (const title of titles)
      it(`takes ${JSON.stringify(title)} for a ${kind} [A4 A5]`, () => expect(titleKind(title)).toBe(kind))
  for (const title of ORDINARY)
    it(`takes ${JSON.stringify(title)} for ordinary work [A4]`, () => expect(titleKind(title)).toBeUndefined())
})

describe('changeType', () => {
  const types = {
    'feat(x): a': 'feat',
    'Docs: a': 'docs',
    'fix!: a': 'fix',
    'chore: a': 'chore',
    'style(a)!: b': 'style',
    'parser: a': undefined,
    'Fix a': undefined,
    'test: a': 'test',
  }
  for (const [subject, type] of Object.entries(types))
    it(`reads ${type} from ${JSON.stringify(subject)} [A6]`, () => expect(changeType(subject)).toBe(type))
})

describe('hasFixSignal', () => {
  const signals = [
    'fix: blanks',
    'Fix blanks',
    'Prevent a panic',
    'Do not trigger a warning',
    'Handle blanks correctly',
    'Keep blanks\n\nFixes #1',
    'Crash on start',
    'Wrong exit code',
    'Fix formatting of a duration of zero',
    'Fix comment parsing in YAML',
    'Fix lint rule that reports twice',
    'Fix build of nested URLs',
    'Correct rounding of totals',
    'Reject text that is not a duration\n\nIt was read as zero. This is a bug.',
  ]
  const none = [
    'Add a prefix option',
    'Fix typos',
    'fix lint',
    'Fix flaky tests',
    'Fixture for blanks',
    'Support fixed-width columns',
    'Fixed width columns',
    'Add pathlib support',
    'fix: typo in docs',
    'Rename a module',
    'Fix formatting in the README',
    'Fix tests on Windows',
  ]
  for (const text of signals)
    it(`finds one in ${JSON.stringify(text)} [A7]`, () => {
      const [subject, ...body] = text.split('\n')
      expect(hasFixSignal(subject!, body.join('\n'))).toBe(true)
    })
  for (const text of none)
    it(`finds none in ${JSON.stringify(text)} [A7]`, () => expect(hasFixSignal(text)).toBe(false))

  it('names the category', () => {
    expect(['fix: a', 'feat: b', 'refactor: c', 'Refactor d', 'Wrong e'].map((title) => changeCategory(title))).toEqual(
      ['bugfix', 'feature', 'refactor', 'refactor', 'bugfix'],
    )
  })
})

describe('isBot', () => {
  const bots = [
    ['dependabot[bot]', ''],
    ['renovate-bot', ''],
    ['x', '49699333+dependabot[bot]@users.noreply.github.com'],
    ['pre-commit-ci[bot]', ''],
    ['GitHub Actions', ''],
    ['snyk-bot', 'a@b'],
    ['Hosted Weblate', ''],
  ] as const
  const people = [
    ['Bas Bot', 'bas@bot.nl'],
    ['Abbot Talbot', 'a@b'],
    ['Robot Fan', 'f@x'],
    ['botond', 'b@x'],
  ] as const
  for (const [name, email] of bots) it(`knows ${name} ${email} [A8]`, () => expect(isBot(name, email)).toBe(true))
  for (const [name, email] of people)
    it(`takes ${name} for a person [A8]`, () => expect(isBot(name, email)).toBe(false))
  it('knows the branches of bots', () => {
    expect(['urfave/dependabot/go_modules/x', 'renovate/all', 'ada/dependable'].map(isBotBranch)).toEqual([
      true,
      true,
      false,
    ])
  })
})

describe('countWords', () => {
  const counts = {
    'net/http: fix panic': 4,
    'strings.Builder grows': 3,
    修正空白丢失: 3,
    '': 0,
    '--': 0,
    'naïve Größe': 2,
  }
  for (const [text, count] of Object.entries(counts))
    it(`counts ${count} in ${JSON.stringify(text)} [D1]`, () => expect(countWords(text)).toBe(count))
})

describe('oneLine', () => {
  it('leaves no line end, no escape and no half of a character', () => {
    expect(oneLine('a\r\n\u001b[31mred\u202e\tb ')).toBe('a [31mred b')
    expect(oneLine('😀'.repeat(5), 3).isWellFormed()).toBe(true)
  })
})
