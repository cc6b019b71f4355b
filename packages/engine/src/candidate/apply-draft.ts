import { type Candidate, type Draft, type Edit, type Skip, skip, type Tree } from '@r2e/spec'
import { applySolution } from '../render/apply-solution.ts'
import { isTreeFile } from '../render/path-order.ts'
import { snapshotTree } from '../render/snapshot.ts'
import type { Snapshot } from '../render/task-input.ts'
import type { CandidateContext } from './context.ts'

/** A draft put on its base: the tree the agent sees, and what the solution does to it. */
export interface AppliedDraft {
  readonly kind: 'applied'
  readonly tree: Tree
  readonly snapshot: Snapshot
  readonly solvedEdits: readonly Edit[]
  /** The solution as the grader's own `git diff` prints it. */
  readonly diff: Uint8Array
}

export async function applyDraft(
  context: CandidateContext,
  candidate: Candidate,
  draft: Draft,
): Promise<AppliedDraft | Skip> {
  const tree = await context.repository.tree(candidate.base)
  const snapshot = await snapshotTree(tree, draft.setup)
  const applied = await applySolution(snapshot, draft.solution, context.options.signal)
  if (!applied.ok) return skip(candidate.id, 'patch_does_not_apply', applied.reason)
  const misfit = applied.edits.find((edit) => edit.kind === 'write' && !isTreeFile(edit))
  if (misfit) return skip(candidate.id, 'patch_does_not_apply', `no file system holds ${misfit.path.slice(0, 200)}`)
  return { kind: 'applied', tree, snapshot, solvedEdits: applied.edits, diff: applied.diff }
}
