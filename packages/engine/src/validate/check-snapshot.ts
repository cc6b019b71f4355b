import { isR2eError, sha256Hex } from '@r2e/spec'
import { BASE_ARCHIVE, SNAPSHOT_STEP } from '../render/dockerfile-steps.ts'
import { openScratchRepository } from '../render/scratch-repository.ts'
import { SOLVE_SCRIPT } from '../render/solve-script.ts'
import { readPlan } from './check-grader.ts'
import { error, type Finding } from './finding.ts'
import { DiffPlanSchema } from './grader-plans.ts'
import type { TaskFiles } from './task-files.ts'

/** The base tree is whole, the image is made from it, and the solution applies to it. */
export async function checkSnapshot(task: TaskFiles, signal?: AbortSignal): Promise<Finding[]> {
  const solution = task.get('solution/patch.diff')
  if (!solution) return [error('solution_missing', 'solution/patch.diff is missing')]
  const findings = checkScripts(task)
  const archive = task.get(`environment/${BASE_ARCHIVE}`)
  if (!archive) {
    const needed = task.below('environment').length > 0
    return needed ? [...findings, error('base_missing', `environment/${BASE_ARCHIVE} is missing`)] : findings
  }
  try {
    await using repository = await openScratchRepository(archive.content, signal)
    const applied = await repository.apply(solution.content)
    if (!applied.ok) return [...findings, error('patch_does_not_apply', `solution/patch.diff: ${applied.reason}`)]
    return [...findings, ...checkOracle(task, { tree: repository.tree, diff: applied.diff })]
  } catch (cause) {
    if (signal?.aborted) throw cause
    const reason = isR2eError(cause) ? cause.message : String(cause)
    return [...findings, error('base_damaged', `environment/${BASE_ARCHIVE}: ${reason}`)]
  }
}

function checkScripts(task: TaskFiles): Finding[] {
  const findings: Finding[] = []
  if (task.text('solution/solve.sh') !== SOLVE_SCRIPT)
    findings.push(error('solve_script_changed', 'solution/solve.sh is not the script of this version'))
  const dockerfile = task.text('environment/Dockerfile')
  if (dockerfile !== undefined && !dockerfile.includes(`RUN ${SNAPSHOT_STEP}\n`))
    findings.push(
      error('snapshot_step_changed', 'environment/Dockerfile does not make the snapshot as this version does'),
    )
  return findings
}

/** The oracle must be what the grader prints for the solution, or the solution would not score 1. */
function checkOracle(task: TaskFiles, made: { readonly tree: string; readonly diff: Uint8Array }): Finding[] {
  const oracle = task.get('tests/oracle.diff')
  if (!oracle) return []
  const findings: Finding[] = []
  if (sha256Hex(oracle.content) !== sha256Hex(made.diff))
    findings.push(error('oracle_changed', 'tests/oracle.diff is not the change that solution/patch.diff makes'))
  const base = readPlan(task, 'tests/diff.json', DiffPlanSchema).plan?.base
  if (base !== undefined && base !== made.tree)
    findings.push(error('base_changed', `tests/diff.json compares with ${base}, the base tree is ${made.tree}`))
  return findings
}
