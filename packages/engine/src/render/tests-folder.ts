import { type DiffPlan, encodeUtf8, type FileEntry, type JsonValue } from '@r2e/spec'
import { DIFF_ARGUMENTS } from './diff-arguments.ts'
import { comparePaths } from './path-order.ts'
import type { TaskInput } from './task-input.ts'
import { WORK_TREE } from './task-input.ts'

/** Below tests/. */
export const CONTENTS = 'contents.json'

/** Everything below tests/: the grader, its plans, and its own copies of files. */
export function renderTests(input: TaskInput): FileEntry[] {
  const plans = [...testPlans(input), ...diffPlan(input)]
  if (plans.length === 0) return []
  const files = [...input.grader, ...plans]
  return [...files, contentsOf(files)].map((file) => ({ ...file, path: `tests/${file.path}` }))
}

/** Names everything below tests/, so that the grader knows what is not of this task. */
function contentsOf(files: readonly FileEntry[]): FileEntry {
  const names = [CONTENTS, ...files.map(({ path }) => path)].sort(comparePaths)
  return jsonFile(CONTENTS, { schema: 'r2e.contents/1', files: names })
}

function testPlans({ tests }: TaskInput): FileEntry[] {
  if (!tests) return []
  return [
    jsonFile('run.json', tests.run as unknown as JsonValue),
    jsonFile('restore.json', tests.restore as unknown as JsonValue),
    jsonFile('f2p.json', tests.failToPass),
    jsonFile('p2p.json', tests.passToPass),
    ...tests.files.map((file) => ({ ...file, path: `files/${file.path}` })),
  ]
}

function diffPlan({ draft, snapshot, oracle }: TaskInput): FileEntry[] {
  if (!draft.plan.diff || !snapshot) return []
  const plan: DiffPlan = {
    schema: 'r2e.diff/1',
    metric: draft.plan.diff.metric,
    diff: DIFF_ARGUMENTS,
    base: snapshot.tree,
    workdir: WORK_TREE,
  }
  return [
    jsonFile('diff.json', plan as unknown as JsonValue),
    { path: 'oracle.diff', mode: '100644', content: oracle ?? draft.solution },
  ]
}

function jsonFile(path: string, value: JsonValue): FileEntry {
  return { path, mode: '100644', content: encodeUtf8(`${JSON.stringify(value, null, 1)}\n`) }
}
