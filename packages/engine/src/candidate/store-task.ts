import { createHash } from 'node:crypto'
import type { FileEntry, JsonObject } from '@r2e/spec'
import { difficultyOf } from '../render/difficulty.ts'
import type { TaskInput } from '../render/task-input.ts'
import type { AdmittedTask, CandidateContext } from './context.ts'

/** A task that passed every check of its kind. */
export interface ProvenTask {
  readonly kind: 'proven'
  readonly taskId: string
  readonly input: TaskInput
  readonly files: readonly FileEntry[]
  /** Rewards of the final task; undefined where nothing was run. */
  readonly gold: number | undefined
  readonly noop: number | undefined
  readonly quarantined: readonly string[]
  /** Sandboxed runs behind the verdict. */
  readonly runs: number
  readonly evidence: JsonObject
}

/** Puts a task's files into the blob store; the answer is JSON that names them. */
export async function storeTask(context: CandidateContext, task: ProvenTask): Promise<AdmittedTask> {
  const files = await Promise.all(
    task.files.map(async ({ path, mode, content }) => ({ path, mode, blob: await context.blobs.put(content) })),
  )
  const { tests, draft } = task.input
  return {
    taskId: task.taskId,
    files,
    changeKey: changeKey(draft.solution),
    failToPass: tests?.failToPass.length ?? 0,
    passToPass: tests?.passToPass.length ?? 0,
    manifest: manifestEntry(context, task),
    evidence: task.evidence,
  }
}

function manifestEntry(
  context: CandidateContext,
  { taskId, input, gold, noop, quarantined, runs }: ProvenTask,
): JsonObject {
  const { draft, tests, image } = input
  const failToPass = tests?.failToPass.length ?? 0
  return {
    task_id: taskId,
    repo: context.repository.url,
    ref: input.base,
    ...(draft.reference && { reference: draft.reference }),
    reward_kinds: tests ? ['test_execution', 'diff_similarity'] : ['diff_similarity'],
    f2p_count: failToPass,
    p2p_count: tests?.passToPass.length ?? 0,
    loc_changed: draft.changedLines,
    difficulty: difficultyOf(draft.changedLines, tests && failToPass),
    gold,
    noop,
    runs,
    quarantined,
    validation_status: input.validation,
    ...(image && { recipe_digest: image.recipeDigest }),
    ...(image?.mode === 'local_only' && { verified_in: 'local' }),
  }
}

/** Equal for equal changes wherever they stand: line numbers and object names do not count, every other byte does. */
export function changeKey(patch: Uint8Array): string {
  const lines = Buffer.from(patch).toString('latin1').split('\n')
  const kept = lines.filter((line) => !line.startsWith('index ')).map((line) => line.replace(/^@@ .*? @@.*/, '@@'))
  return createHash('sha256').update(kept.join('\n'), 'latin1').digest('hex')
}
