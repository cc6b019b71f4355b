import { type AppliedPatch, openScratchRepository } from './scratch-repository.ts'
import type { Snapshot } from './task-input.ts'

/**
 * What a solution does to its snapshot: whole-file edits, and `diff`, the oracle bytes exactly as the grader's own
 * `git diff` will print them, so that the solution itself scores 1. A patch that does not apply is data.
 */
export async function applySolution(
  snapshot: Snapshot,
  solution: Uint8Array,
  signal?: AbortSignal,
): Promise<AppliedPatch> {
  await using repository = await openScratchRepository(snapshot.archive, signal)
  return await repository.apply(solution)
}
