import assert from 'node:assert/strict'
import { INTERFACE_HEADING, leakFacts, leakScan } from '@r2e/kit'
import { type Draft, decodeUtf8, encodeUtf8, type FileChange } from '@r2e/spec'
import { runGitBytes } from '../repository/run-git.ts'
import { treeAfter } from '../source/tree-after.ts'
import type { PipelineRun, RunCheck } from './pipeline-run.ts'

export const draftChecks: readonly RunCheck[] = [
  {
    title: 'drafts at least one task',
    run: ({ drafts }) => assert.notEqual(drafts.size, 0),
  },
  {
    title: 'drafts the same task again from a stored candidate',
    async run({ found, drafts, draft }) {
      for (const item of found) {
        if (item.kind !== 'found' || !drafts.has(item.candidate.id)) continue
        assert.deepEqual(await draft(JSON.parse(JSON.stringify(item.candidate))), drafts.get(item.candidate.id))
      }
    },
  },
  {
    title: 'writes instructions that end with one newline and give nothing away',
    run: (run) => forEachDraft(run, (draft, base) => checkInstruction(run, draft, base)),
  },
  {
    title: 'gives a solution that applies to the base and touches no hidden file',
    run: (run) =>
      forEachDraft(run, async (draft, base) => {
        if (draft.setup.length > 0) return
        const tree = await treeAfter(run.directory, base, [draft.solution])
        const changed = await runGitBytes(run, 'diff-tree', '-r', '-z', '--name-only', '--no-renames', base, tree)
        const paths = changed.toString().split('\0').filter(Boolean)
        assert.notEqual(paths.length, 0)
        // Test code inside a source file is a part of it; the rest of the file may change.
        for (const { kind, path } of draft.hidden)
          assert.ok(kind === 'inline' || !paths.includes(path), `${path} is in the solution`)
      }),
  },
  {
    title: 'plans one way of grading at least, and hides tests only where tests grade',
    run: (run) =>
      forEachDraft(run, ({ plan, hidden, sourceFiles, changedLines }) => {
        assert.ok(plan.tests || plan.diff || run.pipeline.reward === 'program')
        if (plan.tests) assert.notEqual(hidden.length, 0)
        assert.ok(sourceFiles >= 1 && changedLines >= 1)
      }),
  },
  {
    title: 'keeps people, paths and tests out of the metadata',
    run: (run) =>
      forEachDraft(run, ({ metadata, hidden }) => {
        for (const key of Object.keys(metadata)) assert.match(key, /^[a-z][a-z0-9_]*$/)
        const text = JSON.stringify(metadata)
        assert.deepEqual(JSON.parse(text), metadata)
        assert.doesNotMatch(text, /@|example\.com/)
        for (const { path } of hidden) assert.ok(!text.includes(path), `${path} is in the metadata`)
      }),
  },
]

function checkInstruction({ languages, role }: PipelineRun, draft: Draft, base: string): void {
  const { instruction, hidden, solution } = draft
  assert.match(instruction, /\S\n$/)
  assert.doesNotMatch(instruction, /[ \t]$|\n{3}|\r/m)
  const source = sectionsOf(solution).filter(({ path }) => role(path) === 'source')
  const facts = leakFacts({ source, hidden, ids: [base], languages })
  // Signatures are lines of the solution on purpose.
  const told = instruction.split(`\n${INTERFACE_HEADING}\n`, 1)[0]!
  assert.deepEqual(leakScan(told, facts), [])
  assert.deepEqual(leakScan(instruction, { ...facts, goldLines: [] }), [])
}

async function forEachDraft(
  { found, drafts }: PipelineRun,
  check: (draft: Draft, base: string) => Promise<void> | void,
): Promise<void> {
  for (const item of found) {
    const draft = item.kind === 'found' ? drafts.get(item.candidate.id) : undefined
    if (item.kind === 'found' && draft) await check(draft, item.candidate.base)
  }
}

/** The sections of a patch; enough of a change for the leak scan. */
function sectionsOf(patch: Uint8Array): readonly FileChange[] {
  return decodeUtf8(patch)
    .split(/^(?=diff --git )/m)
    .map((text) => ({ path: /^\+\+\+ b\/(.*?)\t?$/m.exec(text)?.[1] ?? '', patch: encodeUtf8(text) }) as FileChange)
}
