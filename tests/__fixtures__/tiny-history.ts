import type { RepositoryStep } from '../../packages/testing/src/index.ts'

const test = (name: string, expression: string, value: string) =>
  `    def test_${name}(self):\n        self.assertEqual(${expression}, ${value})\n\n`

const head = 'import unittest\n\nfrom tally import count, first, longest, total\n\n\nclass TallyTest(unittest.TestCase):\n'
const start =
  test('of_something_else', 'count([])', '1') +
  test('count', 'count(["a", "b"])', '2') +
  test('first', 'first([3, 4])', '3') +
  test('longest', 'longest(["a", "bb"])', '"bb"') +
  test('total', 'total([1, 2])', '3')

const functions = {
  count: ['len(set(items))', 'len(items)'],
  first: ['items[0]', 'items[0] if items else None'],
  longest: ['max(items, key=len)', 'max(items, key=len, default="")'],
  total: ['sum(items[:9])', 'sum(items)'],
} as const

type Name = keyof typeof functions

const source = (fixed: readonly Name[]) =>
  (Object.keys(functions) as Name[])
    .map((name) => `def ${name}(items):\n    return ${functions[name][fixed.includes(name) ? 1 : 0]}\n`)
    .join('\n\n')

const added = [
  test('count_of_equal_items', 'count(["a", "a"])', '2'),
  test('first_of_nothing', 'first([])', 'None'),
  test('longest_of_nothing', 'longest([])', '""'),
  test('total_of_many', 'total([1] * 20)', '20'),
]

const fix = (message: string, fixed: readonly Name[], tests: number): RepositoryStep => ({
  commit: message,
  files: { 'tally.py': source(fixed), 'test_tally.py': head + start + added.slice(0, tests).join('') },
})

/** A Python module of four functions, each with a bug that is fixed with a test; no package is needed to run them. One test fails always. */
export const tinyHistory: readonly RepositoryStep[] = [
  {
    commit: 'Start the tally module',
    files: { 'tally.py': source([]), 'test_tally.py': head + start, 'README.md': '# tally\n' },
  },
  fix('Fix the count of a list with equal items\n\nEqual items were counted once.', ['count'], 1),
  { commit: 'Describe what the tally module can do', files: { 'README.md': '# tally\n\nCounts things.\n' } },
  fix('Fix the error that an empty list raises\n\nThe first of no items is nothing at all.', ['count', 'first'], 2),
  fix(
    'Fix the longest of no items, which raised a ValueError\n\nIt is the empty text.',
    ['count', 'first', 'longest'],
    3,
  ),
  {
    commit: 'Fix the speed of the total of few items\n\nIt is as fast as it was.',
    files: {
      'tally.py': `# Counting.\n${source(['count', 'first', 'longest'])}`,
      'test_tally.py': head + start + added.slice(0, 3).join('') + test('total_of_none', 'total([])', '0'),
    },
  },
  fix(
    'Fix wrong totals of more than nine items\n\nItems after the ninth were left out.',
    ['count', 'first', 'longest', 'total'],
    4,
  ),
]
