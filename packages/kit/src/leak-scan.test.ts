import { encodeUtf8, type FileChange, type LanguagePack } from '@r2e/spec'
import { describe, expect, it } from 'vitest'
import { cutLeaks } from './cut-leaks.ts'
import { type LeakFacts, leakFacts } from './leak-facts.ts'
import { leakScan } from './leak-scan.ts'

const facts: LeakFacts = {
  goldLines: ['if value is UNSET: return None', 'return [token for token in tokens if token]'],
  hiddenIds: ['test_keeps_blanks'],
  hiddenPaths: ['tests/test_blank.py', 'tests/data/in.txt'],
  ids: ['0a1b2c3d4e5f60718293a4b5c6d7e8f901234567', '1234'],
  goldNames: ['_splitTokens'],
}

describe('leakScan', () => {
  const leaky = [
    'gold_line: use `return [token for token in tokens if token]` there',
    'gold_line: so\n\n    if value is UNSET:   return None\n\nworks',
    'test_name: see test_keeps_blanks',
    'test_name: `TestA::test_keeps_blanks[a b]` fails',
    'test_path: run tests/test_blank.py',
    'test_path: the file test_blank.py',
    'test_path: reads tests/data/in.txt',
    'commit_id: since 0a1b2c3',
    'commit_id: since 0A1B2C3D4E',
    'request_number: as in #1234',
    'request_number: see GH-1234',
    'request_number: /pull/1234/files',
  ]
  for (const line of leaky) {
    const [kind, text] = line.split(/: (.*)/s) as [string, string]
    it(`finds the ${kind} in ${JSON.stringify(text)} [C1 C10 C11 D8]`, () => {
      expect(leakScan(text, facts).map((leak) => leak.kind)).toContain(kind)
      expect(leakScan(cutLeaks(text, facts), facts)).toEqual([])
    })
  }

  it('finds nothing in an honest report', () => {
    expect(
      leakScan('Blanks are lost: `a  b` gives 1234 tokens in data/in.txt, tokens like test_keeps.', facts),
    ).toEqual([])
  })
})

describe('cutLeaks', () => {
  it('cuts the sentence and keeps the rest [C5]', () => {
    const text =
      'Blanks are lost. See test_keeps_blanks for a case. They matter.\n\n- one\n- calls _splitTokens\n  over two lines\n- three'
    expect(cutLeaks(text, facts)).toBe('Blanks are lost. They matter.\n\n- one\n- three')
  })

  it('cuts a sentence that runs over lines without leaving half of it', () => {
    expect(cutLeaks('Blanks are lost. The helper\n_splitTokens drops\nthem all. It hurts.', facts)).toBe(
      'Blanks are lost. It hurts.',
    )
  })

  it('cuts single lines of a code block, and a block that is the answer', () => {
    expect(cutLeaks('It fails:\n\n```\nline one\ntests/test_blank.py:3\nline two\n```', facts)).toBe(
      'It fails:\n\n```\nline one\nline two\n```',
    )
    expect(cutLeaks('Do this:\n\n```\nif value is UNSET: return None\n```', facts)).toBe('Do this:')
  })

  it('cuts thirty bodies of change lists to no leak [C5]', () => {
    const pieces = [
      '- edit tests/test_blank.py',
      '* rename to _splitTokens',
      'ref 0a1b2c3d4',
      'adds `test_keeps_blanks`',
      'if value is UNSET: return None',
    ]
    for (let n = 1; n <= 30; n++) {
      const body = pieces.filter((_, i) => (n >> i) & 1).join('\n')
      expect(leakScan(cutLeaks(`Blanks.\n\n${body}\n\nEnd.`, facts), facts)).toEqual([])
    }
  })
})

describe('leakFacts', () => {
  const pack = {
    role: (path: string) => (path.startsWith('tests/') ? 'test' : 'source'),
    testCases: (_path: string, source: string) =>
      [...source.matchAll(/def (test_\w+)/g)].map((match) => ({ name: `T::${match[1]}`, text: '' })),
  } as unknown as LanguagePack
  const change = (patch: string) =>
    ({
      path: 'src/a.py',
      patch: encodeUtf8(`diff --git a/src/a.py b/src/a.py\n@@ -1,2 +1,3 @@\n${patch}`),
    }) as FileChange

  it('takes the lines, the names and the tests that only the change knows', () => {
    const source = change(
      ' context_line_stays(here)\n-old_call(argument_one)\n+    old_call(argument_one)\n+def brand_new_name(value):\n+    return None\n+def used_by_test(value):\n',
    )
    const hidden = [
      { kind: 'write', path: 'tests/t.py', mode: '100644', content: encodeUtf8('def test_abc(): used_by_test(1)\n') },
    ] as const
    expect(leakFacts({ source: [source], hidden, ids: ['1'], languages: [pack] })).toEqual({
      goldLines: ['def brand_new_name(value):', 'def used_by_test(value):'],
      hiddenIds: ['test_abc'],
      hiddenPaths: ['tests/t.py'],
      ids: ['1'],
      goldNames: ['brand_new_name'],
    })
  })
})
