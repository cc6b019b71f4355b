import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { roleUnder } from '@r2e/kit'
import { languagePacks } from '@r2e/languages'
import { createGitSource } from '@r2e/source/git'
import { type Draft, decodeUtf8, type PullRequest, type Repository, type Skip } from '@r2e/spec'
import { buildRepository, type RepositoryStep } from '@r2e/testing'
import * as v from 'valibot'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { prDiff } from './index.ts'

const lines = (word: string) => Array.from({ length: 4 }, (_, at) => `${word}${at} = ${at}\n`).join('')
const source = (word: string) => ({ files: { [`app/${word}.py`]: lines(word) } })
const bot = { name: 'dependabot[bot]', email: 'd@example.com' }

const STEPS: readonly RepositoryStep[] = [
  { commit: 'root', files: { 'app/a.py': 'a = 1\nb = 2\n' } },
  {
    commit: 'Count words of one letter (#1)',
    files: { 'app/count.py': lines('count'), 'tests/test_count.py': 'def test_count(): pass\n' },
  },
  { commit: 'Count words of two letters (#2)', files: { 'tests/test_count.py': 'def test_two(): pass\n' } },
  { commit: 'Describe words of one letter (#3)', files: { 'docs/words.md': 'a\n' } },
  { commit: 'Revert "Count words of one letter" (#4)', delete: ['app/count.py'] },
  { commit: 'Change one line of the words (#5)', files: { 'app/a.py': 'a = 1\nb = 3\n' } },
  { commit: 'words (#6)', ...source('words') },
  {
    commit: 'Touch very many files of words (#7)',
    files: Object.fromEntries(['u', 'v', 'w', 'x', 'y', 'z'].map((name) => [`app/${name}.py`, lines(name)])),
  },
  { commit: 'Bump words from 1.0 to 2.0 (#8)', ...source('bump') },
  { commit: 'Raise the limit of all words (#9)', author: bot, ...source('limit') },
  { commit: 'Run words on every push (#10)', files: { '.github/workflows/a.yml': 'a\n' } },
  {
    commit: 'Keep all the words\n\nUse `keep0 = 0`.\nSee #10 and app/keep.py (#11)'.replace('\n\n', ' (#11)\n\n'),
    ...source('keep'),
  },
  { branch: 'next' },
  { commit: 'Add green words for people (#21)', ...source('green') },
  { commit: 'Add blue words for people (#22)', ...source('blue') },
  { ref: 'refs/pull/12/head' },
  { branch: 'main' },
  { merge: 'next', message: 'Merge pull request #12 from ada/next\n\nPrepare what comes' },
  { branch: 'late', at: 1 },
  {
    commit: 'Say more of late words\n\nLate words were never said before, which people missed a lot in daily use.',
    ...source('late'),
  },
  { ref: 'refs/pull/13/head' },
  { branch: 'main' },
  { merge: 'late', message: 'Merge pull request #13 from ada/late\n\nSay all of the late words' },
]

type Outcome = Draft | Skip
let root: string
let repository: Repository
beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'r2e-requests-'))
  const { directory } = await buildRepository(join(root, 'sample'), STEPS)
  repository = await createGitSource().open(
    { url: directory, ref: 'HEAD', access: 'auto' },
    { cacheDirectory: join(root, 'cache') },
  )
})
afterAll(async () => {
  await repository[Symbol.asyncDispose]()
  await rm(root, { recursive: true })
})

async function mine(written: object, from: Repository = repository): Promise<ReadonlyMap<string, Outcome>> {
  const options = v.parse(prDiff.options, written)
  const shared = {
    options,
    repository: from,
    languages: languagePacks,
    role: roleUnder(languagePacks),
    signal: new AbortController().signal,
  }
  const outcomes = new Map<string, Outcome>()
  for await (const item of prDiff.discover(shared)) {
    if (item.kind === 'skip') outcomes.set(item.id, item)
    else
      outcomes.set(
        item.candidate.id,
        await prDiff.draft(item.candidate, { ...shared, tree: await from.tree(item.candidate.base) }),
      )
  }
  return outcomes
}
const reasons = (outcomes: ReadonlyMap<string, Outcome>) =>
  Object.fromEntries([...outcomes].map(([id, outcome]) => [id, outcome.kind === 'skip' ? outcome.reason : 'draft']))
const drafted = (outcomes: ReadonlyMap<string, Outcome>, id: string): Draft => {
  const outcome = outcomes.get(id)
  if (outcome?.kind !== 'draft') throw new Error(`${id}: ${JSON.stringify(outcome)}`)
  return outcome
}

describe('pr_diff', () => {
  it('gives every request a draft or its reason [A2 A4 A5 A8 A10]', async () => {
    expect(reasons(await mine({}))).toEqual({
      '-13': 'draft',
      '-12': 'branch_sync',
      '-11': 'draft',
      '-10': 'ci_only_patch',
      '-9': 'bot_author',
      '-8': 'non_bug_pr',
      '-7': 'too_many_files',
      '-6': 'instruction_too_thin',
      '-5': 'diff_too_small',
      '-4': 'revert_pr',
      '-3': 'docs_only_diff',
      '-2': 'test_only_diff',
      '-1': 'draft',
    })
  })

  it('honours its limits', async () => {
    const outcomes = reasons(await mine({ max_files_per_pr: 6, min_loc_changed: 1 }))
    expect([outcomes['-7'], outcomes['-5']]).toEqual(['draft', 'draft'])
    expect(Object.keys(await mine({ since: '2024-01-01T15:30:00Z' }))).not.toContain('-1')
  })

  it('compares with the merge base, so that nothing foreign is in the answer [A14 G11 W16]', async () => {
    const draft = drafted(await mine({}), '-13')
    expect([...decodeUtf8(draft.solution).matchAll(/^diff --git .*$/gm)].map(([line]) => line)).toEqual([
      'diff --git a/app/late.py b/app/late.py',
    ])
    expect(draft.instruction).toMatch(/^Say all of the late words\n\nLate words were never said before/)
  })

  it('answers with the source, or with everything', async () => {
    const source = drafted(await mine({}), '-1')
    expect(decodeUtf8(source.solution)).not.toContain('tests/')
    const full = drafted(await mine({ oracle_scope: 'full' }), '-1')
    expect(decodeUtf8(full.solution)).toContain('b/tests/test_count.py')
    expect([source.changedLines, full.changedLines]).toEqual([4, 5])
  })

  it('asks for the form of answer that it compares, and names no commit [C10]', async () => {
    const ask = async (written: object) => drafted(await mine(written), '-1')
    const tree = await ask({ reward_metric: 'changed_lines' })
    expect(tree.instruction).toMatch(/work tree; your answer is a unified diff against the base commit/)
    expect(tree.plan).toEqual({ diff: { metric: 'changed_lines' }, environment: true })
    const text = await ask({ emit_harbor_env: false, diff_format: 'search_replace' })
    expect(text.instruction).toBe(
      'Count words of one letter\n\nAnswer with search/replace blocks against the base commit.\n',
    )
    expect(text.plan).toEqual({ diff: { metric: 'ratio_v07' }, environment: false })
    expect(text.metadata).toEqual({
      pr_merged_at: expect.any(String),
      diff_format: 'search_replace',
      changed_file_count: 2,
    })
    expect(tree.instruction).not.toMatch(/[0-9a-f]{7}/)
  })

  it('takes linked issues first, all of them [G19 C1]', async () => {
    const linked: readonly PullRequest['linkedIssues'][number][] = [
      { reference: '#90', title: 'Words vanish', body: 'They vanish. See #91.' },
      { reference: '#91', title: 'Words stutter', body: 'They stutter.' },
    ]
    const request = (await Array.fromAsync(repository.pullRequests!({ skipDrafts: true }))).find(
      ({ number }) => number === 1,
    )!
    const from = Object.create(repository, {
      pullRequests: {
        value: async function* () {
          yield { ...request, draft: false, linkedIssues: linked, url: 'https://example.com/1' }
        },
      },
    }) as Repository
    const draft = drafted(await mine({}, from), '-1')
    expect(draft.instruction).toMatch(
      /^Words vanish\n\nThey vanish\.\n\nWords stutter\n\nThey stutter\.\n\nCount words of one letter\n\n/,
    )
    expect(draft.reference).toBe('https://example.com/1')
  })

  it('leaves drafts out unless it is told otherwise', async () => {
    const from = Object.create(repository, {
      pullRequests: {
        value: async function* () {
          for await (const one of repository.pullRequests!({ skipDrafts: false })) yield { ...one, draft: true }
        },
      },
    }) as Repository
    expect((await mine({}, from)).get('-1')).toMatchObject({ kind: 'skip', reason: 'draft' })
    expect((await mine({ skip_drafts: false }, from)).get('-1')?.kind).toBe('draft')
  })

  it('refuses another state than merged', () => {
    expect(v.safeParse(prDiff.options, { state: 'open' }).success).toBe(false)
  })
})
