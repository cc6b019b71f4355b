import { describe, expect, it } from 'vitest'
import { capText } from './cap-text.ts'
import { cleanInstruction, INSTRUCTION_LIMIT } from './clean-instruction.ts'
import { cleanTitle } from './commit-text.ts'

const POINTERS: readonly (readonly [string, string])[] = [
  ['Fixes #1', ''],
  ['Closes #1, #2 and fixes #3.', ''],
  ['fixes #1, fixes #2', ''],
  ['Resolves: pallets/click#12', ''],
  ['This PR closes #12.', ''],
  ['See also GH-12 and bpo-34.', ''],
  ['Part of #12', ''],
  ['Follow-up to #12.', ''],
  ['refs #1 #2 #3', ''],
  ['See #12 for more details.', ''],
  ['(see #12, #13)', ''],
  ['[#12](https://github.com/o/r/pull/12)', ''],
  ['[Fixes #12](https://github.com/o/r/issues/12)', ''],
  ['Closes <https://github.com/o/r/issues/12>', ''],
  ['- Closes https://github.com/o/r/issues/12', ''],
  ['https://redirect.github.com/o/r/pull/12', ''],
  ['https://www.google.com/url?q=https%3A%2F%2Fgithub.com%2Fo%2Fr%2Fpull%2F12', ''],
  ['https://gitlab.example.org/a/b/c/-/merge_requests/4', ''],
  ['See merge request group/sub/project!42', ''],
  ['Crash on start (#1234)', 'Crash on start'],
  ['Crash on start (closes #1234)', 'Crash on start'],
  ['Crash on start name#739', 'Crash on start'],
  ['Crash on start, see !77.', 'Crash on start.'],
  ['Crash on start [#12] when idle', 'Crash on start when idle'],
  ['The parser drops bytes since 3f2a9bc.', 'The parser drops bytes.'],
  ['Fixes a hang. Fixes #12.', 'Fixes a hang.'],
  ['Fix regression from 8.4 by #12 and properly fix #13 and #14', 'Fix regression from 8.4'],
  ['Fixes #12 where blanks are lost', 'Fixes a problem where blanks are lost'],
  ['PR #12 broke the parser.', 'An earlier change broke the parser.'],
  ['#12 broke the parser.', 'An earlier change broke the parser.'],
  ['Fix bug #12 in the parser', 'Fix bug in the parser'],
  ['Fix #12: blanks are lost', 'blanks are lost'],
  ['As described in [the issue](https://github.com/o/r/issues/1), it hangs.', 'it hangs.'],
  ['Read [how blanks work](https://github.com/o/r/issues/1) first.', 'Read how blanks work first.'],
  ['[the issue][1] explains\n\n[1]: https://github.com/o/r/issues/1', 'An earlier change explains'],
  ['Blanks are lost.\n\nCo-authored-by: A B <a@b.c>\nSigned-off-by: A B <a@b.c>', 'Blanks are lost.'],
  ['Blanks are lost.\n\nRefs: #1\nChange-Id: I1234567', 'Blanks are lost.'],
  ['Blanks are lost.\n\n(cherry picked from commit 1234567890abcdef1234567890abcdef12345678)', 'Blanks are lost.'],
  ['Fixes PROJ-12.', ''],
  ['See https://bugs.python.org/issue1234', ''],
]

describe('cleanInstruction', () => {
  for (const [source, expected] of POINTERS)
    it(`leaves ${JSON.stringify(expected)} of ${JSON.stringify(source)} [C3 C4 G19]`, () => {
      expect(cleanInstruction(source)).toBe(expected)
    })

  it('leaves no fragment for any family of pointers in any nesting [C3]', () => {
    const atoms = ['#12', 'o/r#12', 'GH-12', '!12', '0a1b2c3', 'https://github.com/o/r/pull/12/files#diff-1']
    const links = atoms.flatMap((atom) => [
      atom,
      `[${atom}](https://github.com/o/r/issues/12)`,
      `<https://github.com/o/r/issues/12>`,
    ])
    const leads = ['', 'Fixes ', 'see ', 'Closes: ', 'Related to ', 'follow-up of ']
    const wraps = [
      (x: string) => x,
      (x: string) => `(${x})`,
      (x: string) => `- ${x}`,
      (x: string) => `*${x}*`,
      (x: string) => `${x}, ${x}`,
    ]
    for (const link of links)
      for (const lead of leads)
        for (const wrap of wraps) {
          const left = cleanInstruction(`Blanks are lost.\n\n${wrap(lead + link)}\n\nThe end is kept.`)
          expect(left.replaceAll(/[*\s]/g, ''), wrap(lead + link)).toBe('Blanksarelost.Theendiskept.')
        }
  })

  it('keeps what only looks like a pointer', () => {
    const text =
      'Decode UTF-8 and `foo()` at 0xdeadbeef1, see https://docs.python.org/3/library/re.html and [the docs](https://click.org/a).\n\n```\n#1 0x00 in main () # 12\n```'
    expect(cleanInstruction(text)).toBe(text)
  })

  it('takes links and commit ids out of code blocks but leaves their lines', () => {
    const text = 'It fails:\n\n```\nseen in https://github.com/o/r/pull/3\n  at 0a1b2c3d4e\n```'
    expect(cleanInstruction(text)).toBe('It fails:\n\n```\nseen in\n  at\n```')
  })

  const HEADINGS = [
    '## Test plan',
    '### 🧪 How has this been tested?',
    '**Tests added:**',
    '__Changelog__',
    'Test plan\n---------',
    '= Testing =',
    'h2. Release notes',
    '<h3>Checklist</h3>',
    'Tests:',
    '## 测试计划',
    '## Änderungen',
    '#### 3. Test coverage',
    '## Changes made',
    '## Solution',
  ]
  for (const heading of HEADINGS)
    it(`cuts the section under ${JSON.stringify(heading)} [C2]`, () => {
      const text = `Blanks are lost.\n\n${heading}\n\n- test_blank in tests/test_a.py\n- \`test_other\`\n\n## Behaviour\n\nKeep them.`
      expect(cleanInstruction(text)).toBe('Blanks are lost.\n\n## Behaviour\n\nKeep them.')
    })

  it('cuts a section together with its code block', () => {
    const text =
      'Blanks are lost.\n\n## How to test\n\n```\n## not a heading\npytest -k blank\n```\n\nthen look.\n\n# Next\n\nWords.'
    expect(cleanInstruction(text)).toBe('Blanks are lost.\n\n# Next\n\nWords.')
  })

  it('cuts checklists, comments, announcements of tests and placeholders [C1 D2]', () => {
    const text =
      '<!-- describe\nyour change -->Blanks are lost.\n\n- [x] tests pass\n- [ ] docs\n- Added unit tests for blanks.\n\nNo description provided.\n<!-- unclosed #1'
    expect(cleanInstruction(text)).toBe('Blanks are lost.')
    expect(cleanInstruction('_No description provided._'.replaceAll('_', ''))).toBe('')
  })

  it('leaves no image behind [D6]', () => {
    expect(cleanInstruction('It looks wrong.\n\n![shot](https://x/y.png)\n<img src="z">')).toBe('It looks wrong.')
  })

  it('drops invisible characters that could hide a pointer', () => {
    expect(cleanInstruction('Lost blanks. Fixes \u200b#1\ufeff2')).toBe('Lost blanks.')
  })

  it('is idempotent on its own output', () => {
    for (const [source] of POINTERS) {
      const once = cleanInstruction(source)
      expect(cleanInstruction(once)).toBe(once)
    }
  })

  it('stays fast on hostile text', () => {
    const hostile = [
      '[',
      '((',
      'fixes ',
      '#1 ',
      '- [ ',
      '**',
      '<!--',
      'related to ',
      '`',
      'a/',
      '#',
      '\n#',
      'see https://',
      '![](',
      ' ',
      '\t\n',
      '[[]](',
    ]
    for (const piece of hostile) {
      const started = performance.now()
      cleanInstruction(piece.repeat(200_000 / piece.length))
      expect(performance.now() - started, JSON.stringify(piece)).toBeLessThan(1500)
    }
  })
})

describe('cleanTitle', () => {
  const titles = {
    'fix(parser)!: keep blanks (#12)': 'keep blanks',
    'Feat:(issue_2392) Single-value arguments': 'Single-value arguments',
    'Fix 2257 - Remove incorrect flag check': 'Remove incorrect flag check',
    'net/http: keep blanks': 'net/http: keep blanks',
    '`a.b`: add c (#1572 followup) (#3405)': '`a.b`: add c',
    'Fix: Ensure blanks': 'Ensure blanks',
    '#12. Keep blanks': 'Keep blanks',
    '--flag="" is kept': '--flag="" is kept',
    'Keep blanks -- Signed-off-by: A B <a@b.c>': 'Keep blanks',
  }
  for (const [title, expected] of Object.entries(titles))
    it(`makes ${JSON.stringify(expected)} of ${JSON.stringify(title)}`, () => expect(cleanTitle(title)).toBe(expected))
})

describe('capText', () => {
  it('cuts at the end of a sentence', () => {
    const text = 'One sentence is here. '.repeat(400)
    const cut = cleanInstruction(text)
    expect(cut.length).toBeLessThanOrEqual(INSTRUCTION_LIMIT)
    expect(cut.endsWith('here.')).toBe(true)
    expect(cut.length).toBeGreaterThan(INSTRUCTION_LIMIT - 30)
  })

  it('leaves no open code block and no half of a character', () => {
    expect(capText(`Words. More.\n\n\`\`\`\n${'x\n'.repeat(50)}\`\`\``, 60)).toBe('Words. More.')
    expect(capText('😀'.repeat(10), 5).isWellFormed()).toBe(true)
  })
})
