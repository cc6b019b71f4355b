import {
  changeCategory,
  commitText,
  countLines,
  countWords,
  fillPatches,
  hiddenEdits,
  joinPatches,
  leakFacts,
  separateRenames,
  splitChanges,
  splitInlineTests,
  statementWithoutLeaks,
} from '@r2e/kit'
import { type CommitInfo, type Draft, type DraftInput, type JsonObject, type Skip, sha256Hex } from '@r2e/spec'
import { type CommitCandidate, subjectOf } from './candidate.ts'
import { skipByChanges, skipByRoles } from './change-skip.ts'
import { hasChangedCase } from './changed-cases.ts'
import { commitProblem } from './commit-problem.ts'
import { statementOf } from './instruction.ts'
import type { Reason } from './metadata-skip.ts'
import type { Options } from './options.ts'
import { type Written, writeInstruction } from './write-instruction.ts'

/** The task of one commit: its words as instruction, its source as solution, its tests as hidden files. */
export async function draft(candidate: CommitCandidate, input: DraftInput<Options>): Promise<Draft | Skip> {
  const { options, repository, tree, languages, role, signal, model } = input
  const left = (reason: Reason): Skip => ({ kind: 'skip', id: candidate.id, title: candidate.title, ...reason })
  const [commit, after, changes] = await Promise.all([
    repository.commit(candidate.commit),
    repository.tree(candidate.commit),
    repository.diff(candidate.base, candidate.commit, signal),
  ])
  const unfit = skipByChanges({ changes, role, options, languages })
  if (unfit) return left(unfit)
  const apart = { changes: separateRenames(changes, role), before: tree, after, languages, role }
  const { changes: rest, inline, stray } = await splitInlineTests(apart)
  if (stray !== undefined)
    return left({ reason: 'unsupported_change', detail: `tests of ${stray} cannot be taken out of its source` })
  const split = splitChanges(await fillPatches(rest, tree, after), role)
  const thin = skipByRoles(split.source.length, split.test.length + inline.length, options)
  if (thin) return left(thin)
  const testChanges = [...split.test, ...inline.map(({ change }) => change)]
  const tests = { tests: split.test, inline, before: tree, after, languages }
  if (options.require_new_test_funcs && !(await hasChangedCase(tests)))
    return left({ reason: 'no_new_test_funcs', detail: 'no test case is new or changed' })

  const text = await commitProblem(commit, repository)
  const words = countWords(`${text.title} ${text.description}`)
  if (words < options.min_problem_statement_words)
    return left({
      reason: 'problem_statement_too_short',
      detail: `${words} words, at least ${options.min_problem_statement_words} wanted`,
    })
  const hidden = [...(await hiddenEdits(split.test, after)), ...inline.map(({ edit }) => edit)]
  const facts = leakFacts({ source: split.source, hidden, ids: identifiers(commit), languages })
  const authors = statementOf(text, facts, split.source)
  if (typeof authors !== 'string') return left(authors)
  const own = countWords(statementWithoutLeaks(text, facts))
  const told = { words: own, facts, source: split.source, tests: testChanges, tree, options, model, signal }
  const written = await writeInstruction(authors, told)
  if (!('instruction' in written)) return left(written)

  const gold = [...split.source, ...split.docs, ...split.other]
  const { title, body } = commitText(commit.message)
  return {
    kind: 'draft',
    instruction: written.instruction,
    setup: [],
    solution: joinPatches(gold),
    hidden,
    plan: { tests: testsPlan(options), environment: true },
    category: changeCategory(title, body),
    reference: repository.webUrl === undefined ? undefined : `${repository.webUrl}/commit/${commit.id}`,
    sourceFiles: split.source.length,
    changedLines: countLines(gold),
    metadata: metadataOf(commit, written),
    synthesisModel: written.model,
    provenance: { subject: subjectOf(commit), source: paths(split.source), tests: paths(testChanges) },
  }
}

function testsPlan(options: Options) {
  return {
    requireFailToPass: options.require_fail_to_pass,
    skipValidation: options.skip_validation,
    minFailToPass: options.min_fail_to_pass,
    maxPassToPass: options.max_pass_to_pass ?? undefined,
    timeoutSec: options.validation_timeout_sec,
    fullSuiteLimitSec: options.full_suite_limit_sec,
    failToPassFrom: options.f2p_from,
  }
}

function metadataOf(commit: CommitInfo, { model, nanoUsd }: Written): JsonObject {
  return {
    commit_sha: commit.id,
    parent_sha: commit.parents[0]!,
    authored_at: commit.authoredAt,
    subject_hash: sha256Hex(subjectOf(commit)).slice(0, 12),
    instruction_synthesized: model !== undefined,
    // unknown is left out, which is not 0
    llm_cost_usd: nanoUsd === undefined ? undefined : nanoUsd / 1e9,
  }
}

/** Ids and request numbers that would lead to the change. */
function identifiers(commit: CommitInfo): readonly string[] {
  const numbers = [...subjectOf(commit).matchAll(/[#!](\d+)\b/g)].map((match) => match[1]!)
  return [commit.id, ...commit.parents, ...numbers]
}

function paths(changes: readonly { readonly path: string }[]): string[] {
  return changes.map(({ path }) => path)
}
