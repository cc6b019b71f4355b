import type { RepositoryStep } from '../../packages/testing/src/index.ts'

/** What the fixed module holds; the same text lies in the environment as an installed release. */
export const fixedModule =
  'def total(items):\n    return sum(items)\n\n\ndef mean(items):\n    if not items:\n        return 0\n    return total(items) / len(items)\n'
const brokenModule = fixedModule.replace('    if not items:\n        return 0\n', '')

const tests = (more: string, port: number) => `import os
import random
import socket
import unittest

from tally import mean, total


class TallyTest(unittest.TestCase):
    def test_total(self):
        self.assertEqual(total([1, 2]), 3)

    def test_that_never_passed(self):
        self.assertEqual(total([1, 2]), 4)

    def test_that_needs_an_export(self):
        self.assertEqual(os.environ["TALLY_MODE"], "on")

    def test_that_asks_the_machine(self):
        socket.create_connection(("127.0.0.1", ${port}), 2).close()

    def test_that_moves(self):
        self.assertTrue(random.random() < 0.5)
${more}`

const empty = `
    def test_mean_of_nothing(self):
        self.assertEqual(mean([]), 0)
`
const longer = `
    def test_total_of_one(self):
        self.assertEqual(total([1]), 1)
`

/** A repository with tests that never pass, move, or need what a sandbox must not give. The newest commit fixes nothing. */
export const oddHistory = (port: number): readonly RepositoryStep[] => [
  { commit: 'Start', files: { 'tally.py': brokenModule, 'test_tally.py': tests('', port), 'CHANGES.md': '- Start\n' } },
  {
    commit: 'Fix the mean of an empty list, which raised a ZeroDivisionError\n\nIt is nought.',
    author: { name: 'Ada Sentinel', email: 'ada.sentinel@example.com' },
    files: { 'tally.py': fixedModule, 'test_tally.py': tests(empty, port), 'CHANGES.md': '- Start\n- An empty mean\n' },
  },
  {
    commit: 'Fix the speed of the total of many items\n\nIt was slow for long lists.',
    files: { 'tally.py': `# Totals.\n${fixedModule}`, 'test_tally.py': tests(empty + longer, port) },
  },
]
