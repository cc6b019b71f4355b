import { describe, expect, it } from 'vitest'
import { readPullMessage } from './pull-message.ts'

const messages = [
  [
    'Merge pull request #12 from a/b\n\nFix the pager\n\nIt hung.\n\nAlways.',
    12,
    'pull',
    'Fix the pager',
    'It hung.\n\nAlways.',
  ],
  ['Merge pull request #12 from a/b', 12, 'pull', '', ''],
  ['Fix the pager (#12)\n\nIt hung.', 12, 'pull', 'Fix the pager', 'It hung.'],
  ['Fix the pager (#12) (#15)', 15, 'pull', 'Fix the pager (#12)', ''],
  [
    'Revert "Fix the pager (#12)" (#13)\r\n\r\nReverts a/b#12',
    13,
    'pull',
    'Revert "Fix the pager (#12)"',
    'Reverts a/b#12',
  ],
  [
    "Merge pull request 'Fix the pager' (#12) from a/b into main\n\nReviewed-on: x",
    12,
    'pull',
    'Fix the pager',
    'Reviewed-on: x',
  ],
  [
    'Merged in fix/pager (pull request #12)\n\nFix the pager\n\nApproved-by: x',
    12,
    'pull',
    'Fix the pager',
    'Approved-by: x',
  ],
  [
    "Merge branch 'fix' into 'main'\n\nFix the pager\n\nIt hung.\n\nSee merge request group/sub/project!12",
    12,
    'merge-request',
    'Fix the pager',
    'It hung.',
  ],
  ['Fix the pager\n\nIt hung.\n\nSee merge request !12', 12, 'merge-request', 'It hung.', ''],
  ['Auto merge of #12 - me:fix, r=you\n\nFix the pager', 12, 'pull', 'Fix the pager', ''],
  ['Merge #12\n\n12: Fix the pager r=you', 12, 'pull', '12: Fix the pager r=you', ''],
] as const

const others = [
  'Fix #12',
  'Merge branch main into fix',
  'Fix the pager, see (#12) for why',
  'Close issue (GH-12)',
  "Merge remote-tracking branch 'origin/pull/12'",
  'Merge pull request #999999999999999999999999 from a/b',
  'Fix the pager (#0)',
  '',
]

describe('readPullMessage', () => {
  it('takes no longer for hostile messages', () => {
    const start = performance.now()
    for (const part of [' ', '(#1', '\n', 'See merge request !1\n', "Merge pull request '", '!']) {
      readPullMessage(part.repeat(1_000_000))
      readPullMessage(`Merge pull request #1\n\n${part.repeat(1_000_000)}x`)
    }
    expect(performance.now() - start).toBeLessThan(2_000)
  })

  for (const [message, number, forge, title, body] of messages)
    it(`reads ${JSON.stringify(message.split('\n')[0])} as number ${number}`, () => {
      expect(readPullMessage(message)).toEqual({ number, forge, title, body })
    })
  for (const message of others)
    it(`finds no number in ${JSON.stringify(message)}`, () => {
      expect(readPullMessage(message)).toBeUndefined()
    })
})
