// @ts-check
import { cleanInstruction, commitText, countLines, definePipeline, joinPatches, splitChanges } from '@r2e/kit'
import { skip } from '@r2e/spec'
import * as v from 'valibot'

const Options = v.strictObject({
  limit: v.optional(v.pipe(v.number(), v.integer(), v.minValue(1), v.description('tasks to admit')), 10),
  min_lines: v.optional(v.pipe(v.number(), v.integer(), v.description('least changed lines')), 1),
})

const Candidate = v.strictObject({ id: v.string(), base: v.string(), title: v.string(), commit: v.string() })

/** Text-only tasks: the words of a commit, and its source change as the answer. */
export default definePipeline({
  contract: 'r2e.pipeline/1',
  name: 'release_notes',
  version: '1',
  summary: 'an example: source changes of commits, graded by similarity',
  reward: 'diff_similarity',
  needs: { source: ['commits'], environment: 'none', model: false, languages: 'any' },
  options: Options,
  candidate: Candidate,
  skipReasons: {
    root_commit: 'the commit has no parent to compare with',
    empty_source_patch: 'no source file changes',
    diff_too_small: 'fewer changed lines than min_lines',
  },

  async *discover({ repository, options, role, signal }) {
    for await (const commit of repository.commits?.({ firstParent: true, signal }) ?? []) {
      const id = `-${commit.id.slice(0, 12)}`
      const { source } = splitChanges(commit.changes, role)
      const [base] = commit.parents
      if (!base) yield skip(id, 'root_commit', 'it has no parent')
      else if (source.length === 0) yield skip(id, 'empty_source_patch', 'no source file changes')
      else if (countLines(source) < options.min_lines) yield skip(id, 'diff_too_small', `${countLines(source)} lines`)
      else {
        const title = commit.message.split('\n', 1)[0] ?? ''
        yield { kind: 'found', candidate: { id, base, title, commit: commit.id } }
      }
    }
  },

  async draft(candidate, { repository, role }) {
    const commit = await repository.commit(candidate.commit)
    const { source } = splitChanges(await repository.diff(candidate.base, candidate.commit), role)
    const { title, body } = commitText(commit.message)
    return {
      kind: 'draft',
      instruction: `${cleanInstruction(`${title}\n\n${body}`)}\n\nAnswer with a unified diff.\n`,
      setup: [],
      solution: joinPatches(source),
      hidden: [],
      plan: { diff: { metric: 'ratio_v07' }, environment: false },
      category: 'bugfix',
      sourceFiles: source.length,
      changedLines: countLines(source),
      metadata: {},
      provenance: {},
    }
  },
})
