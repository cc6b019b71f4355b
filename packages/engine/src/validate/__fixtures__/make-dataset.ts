import { join } from 'node:path'
import { graderFiles, graderFilesFor } from '@r2e/grader'
import { type Draft, type Edit, encodeUtf8, type FileEntry, type LanguagePack, type RunPlan } from '@r2e/spec'
import { buildRepository } from '@r2e/testing'
import { openDataset } from '../../dataset/open-dataset.ts'
import { DRAFT, RECIPE, taskInput } from '../../render/__fixtures__/task-input.ts'
import { treeOf } from '../../render/__fixtures__/tree-of.ts'
import { applySolution } from '../../render/apply-solution.ts'
import { renderTask } from '../../render/render-task.ts'
import { restoreFiles } from '../../render/restore.ts'
import { snapshotTree } from '../../render/snapshot.ts'

const TESTS = [
  'import unittest',
  'from calc import add, twice',
  '',
  'class Calc(unittest.TestCase):',
  '    def test_twice(self):',
  '        self.assertEqual(twice(2), 4)',
  '',
].join('\n')
const HIDDEN = `${TESTS}
    def test_add(self):
        self.assertEqual(add(2, 3), 5)
`
const FILES = {
  'calc.py': 'def add(a, b):\n    return a - b\n\n\ndef twice(a):\n    return 2 * a\n',
  'tests/__init__.py': '',
  'tests/test_calc.py': TESTS,
  '.gitattributes': '*.py text eol=crlf diff=python\n',
  'unrelated.txt': 'one\n',
}
const RUN: RunPlan = {
  schema: 'r2e.run/1',
  workdir: '/app',
  runner: 'unittest',
  format: 'events-jsonl',
  commands: [
    {
      argv: ['python3', '{tests}/reporters/unittest_events.py', '--out', '{report}/0.jsonl', 'discover', '-t', '.'],
      report: '0.jsonl',
    },
  ],
  env: { PYTHONDONTWRITEBYTECODE: '1' },
  timeout_sec: 60,
  coverage: 'suite',
}
const PACK = {
  detect: () => 0,
  runnerFiles: [],
  purge: { names: ['sitecustomize.py'], folders: [], skip: [] },
} as unknown as LanguagePack
const HIDDEN_EDIT: Edit = {
  kind: 'write',
  path: 'tests/test_calc.py',
  mode: '100644',
  content: encodeUtf8(HIDDEN),
}
const RECIPE_BARE = { ...RECIPE, system: [], files: [], dependencies: [], project: [], env: {} }

/** A dataset as a run writes it: a task graded by tests, and with `similarity` one graded so. */
export async function makeDataset(root: string, options: { readonly similarity: boolean }): Promise<string> {
  const { directory, commits } = await buildRepository(join(root, options.similarity ? 'repository-2' : 'repository'), [{ commit: 'base', files: FILES }])
  const tree = treeOf(directory, commits[0]!)
  const snapshot = await snapshotTree(tree, [])
  const applied = await applySolution(snapshot, DRAFT.solution)
  if (!applied.ok) throw new Error(applied.reason)
  const restored = await restoreFiles({
    baseEntries: snapshot.entries,
    solvedEdits: applied.edits,
    hidden: [HIDDEN_EDIT],
    packs: [PACK],
    role: (path) => (path.startsWith('tests/') ? 'test' : 'source'),
    read: (paths) => tree.readAll(paths),
  })
  const all = await graderFiles()
  const frame = taskInput({
    recipe: RECIPE_BARE,
    snapshot,
    baselineReward: 0,
    grader: graderFilesFor(all, { format: 'events-jsonl', reporters: ['unittest_events.py'] }),
    image: { mode: 'local_only', recipeDigest: 'sha256:0' },
  })
  const executed = renderTask({
    ...frame,
    tests: {
      run: RUN,
      ...restored,
      failToPass: ['tests.test_calc.Calc.test_add'],
      passToPass: ['tests.test_calc.Calc.test_twice'],
    },
  })
  const draft: Draft = { ...DRAFT, plan: { diff: { metric: 'ratio_v07' }, environment: true } }
  const similar = renderTask({ ...frame, taskId: 'acme__calc-7', draft, oracle: applied.diff })
  const out = join(root, options.similarity ? 'both' : 'dataset')
  const writer = await openDataset({
    directory: out,
    name: null,
    pipeline: 'commit_runtime',
    configDigest: 'A',
    append: false,
    force: false,
  })
  await writer.write({ taskId: frame.taskId, manifest: { f2p_count: 1, p2p_count: 1 } }, executed)
  if (options.similarity)
    await writer.write({ taskId: 'acme__calc-7', manifest: { f2p_count: 0, p2p_count: 0 } }, similar)
  await writer.finish({ complete: true })
  return out
}
