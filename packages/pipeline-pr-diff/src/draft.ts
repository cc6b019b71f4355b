import {
  changeCategory,
  countLines,
  fillPatches,
  joinPatches,
  leakFacts,
  meaningfulLines,
  separateRenames,
  splitChanges,
} from '@r2e/kit'
import type { Draft, DraftInput, FileChange, Repository, Skip } from '@r2e/spec'
import type { RequestCandidate } from './candidate.ts'
import { skipByChanges } from './change-skip.ts'
import { instructionOf, requestProblem } from './instruction.ts'
import type { Options } from './options.ts'
import type { Reason } from './reason.ts'

/** The task of one request: its words as instruction, its diff as the answer to come close to. */
export async function draft(candidate: RequestCandidate, input: DraftInput<Options>): Promise<Draft | Skip> {
  const { options, repository, tree, languages, role, signal } = input
  const left = (reason: Reason): Skip => ({ kind: 'skip', id: candidate.id, title: candidate.title, ...reason })
  const changes = await repository.diff(candidate.base, candidate.head, signal)
  const apart = separateRenames(changes, role)
  const unfit = skipByChanges(changes, splitChanges(apart, role), options)
  if (unfit) return left(unfit)
  const oracle = await oracleOf({ changes, apart, options }, role, async (kept) =>
    fillPatches(kept, tree, await repository.tree(candidate.head)),
  )
  const lines = meaningfulLines(oracle)
  if (lines < options.min_loc_changed)
    return left({
      reason: 'diff_too_small',
      detail: `${lines} changed lines, at least ${options.min_loc_changed} wanted`,
    })

  const ids = [candidate.head, candidate.base, candidate.merge_commit, `${candidate.number}`].filter(
    (id) => id !== null,
  )
  const facts = leakFacts({ source: oracle.filter(({ path }) => role(path) === 'source'), hidden: [], ids, languages })
  const instruction = instructionOf(await requestProblem(candidate, repository), facts, options)
  if (typeof instruction !== 'string') return left(instruction)
  return {
    kind: 'draft',
    instruction,
    setup: [],
    solution: joinPatches(oracle),
    hidden: [],
    plan: { diff: { metric: options.reward_metric }, environment: options.emit_harbor_env },
    category: changeCategory(candidate.title, candidate.body),
    reference: referenceOf(candidate, repository),
    sourceFiles: oracle.filter(({ path }) => role(path) === 'source').length,
    changedLines: countLines(oracle),
    metadata: {
      pr_merged_at: candidate.merged_at,
      diff_format: options.diff_format,
      changed_file_count: changes.length,
    },
    provenance: { title: candidate.title, paths: changes.map(({ path }) => path) },
  }
}

interface Scope {
  readonly changes: readonly FileChange[]
  readonly apart: readonly FileChange[]
  readonly options: Options
}

/** The whole change, or its source side. */
async function oracleOf(
  { changes, apart, options }: Scope,
  role: DraftInput<Options>['role'],
  fill: (changes: readonly FileChange[]) => Promise<readonly FileChange[]>,
): Promise<readonly FileChange[]> {
  return options.oracle_scope === 'full' ? changes : fill(splitChanges(apart, role).source)
}

function referenceOf(candidate: RequestCandidate, repository: Repository): string | undefined {
  if (candidate.url !== null) return candidate.url
  return repository.webUrl === undefined ? undefined : `${repository.webUrl}/pull/${candidate.number}`
}
