import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { roleUnder } from '@r2e/kit'
import { languagePacks } from '@r2e/languages'
import { createGitSource } from '@r2e/source/git'
import { type Draft, decodeUtf8, type Repository, type Skip } from '@r2e/spec'
import { type BuiltRepository, buildRepository, type RepositoryStep, runGit, treeAfter } from '@r2e/testing'
import * as v from 'valibot'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { commitRuntime } from './index.ts'

const code = (value: number) => `def value():\n    return ${value}\n`
const cases = (...bodies: readonly string[]) =>
  bodies.map((body, at) => `def test_${at}():\n    ${body}\n`).join('\n\n')
let count = 0
/** A fix with a test, distinct each time. */
const fix = (): { files: Record<string, string> } => {
  count++
  return { files: { 'app/value.py': code(count), 'tests/test_value.py': cases(`assert value() == ${count}`) } }
}
const bot = { name: 'renovate[bot]', email: 'renovate@example.com' }
const excluded = { name: 'Max Out', email: 'max@example.com' }

const STEPS: readonly RepositoryStep[] = [
  {
    commit: 'root',
    files: {
      'app/value.py': code(0),
      'tests/test_value.py': cases('assert True'),
      'tests/helper.py': 'x = 1\n',
      'vendor.txt': '',
    },
  },
  {
    commit: 'Fix the wrong value of nothing at all (#11)\n\nIt was zero. See tests/test_value.py and 0a1b2c3d.',
    ...fix(),
  },
  { commit: 'Fix a wrong bot value in here', author: bot, ...fix() },
  { commit: 'Fix a wrong value by an excluded author', author: excluded, ...fix() },
  { commit: 'fix value', ...fix() },
  { commit: 'feat: add a fixed and correct value', ...fix() },
  { commit: 'Let the value grow a bit more', ...fix() },
  { commit: 'Release 1.2.3 of the fixed value', ...fix() },
  { commit: 'Fix a crash that only machines see', files: { '.github/workflows/a.yml': 'a: 1\n' } },
  { commit: 'Fix wrong words in the documents', files: { 'docs/testing.md': 'a\n' } },
  { commit: 'Fix the value without any test', files: { 'app/value.py': code(100) } },
  { commit: 'Fix a crash of the suite alone', files: { 'tests/test_value.py': cases('assert value()') } },
  {
    commit: 'Fix the value and only comment on tests',
    files: { 'app/value.py': code(101), 'tests/test_value.py': `# a comment\n${cases('assert value()')}` },
  },
  {
    commit: 'Fix the value in far too many files',
    files: {
      ...fix().files,
      ...Object.fromEntries(Array.from({ length: 11 }, (_, at) => [`app/f${at}.py`, 'a = 1\n'])),
    },
  },
  {
    commit: 'Fix the value of a broken submodule',
    files: { ...fix().files, 'vendor/lib': { submodule: '1'.repeat(40) } },
  },
  {
    commit: 'Fix a value that moved to the tests',
    rename: { 'app/f1.py': 'tests/moved.py', 'tests/helper.py': 'app/helper.py' },
    files: fix().files,
  },
  {
    commit: 'Fix a value that lives in a fixture\n\nThe value was wrong.',
    files: { 'app/value.py': code(200), 'tests/data/value.json': '{}\n' },
  },
  { branch: 'fix/one' },
  { commit: 'Fix the first wrong value on a branch\n\nIt printed one where two was right.', ...fix() },
  { branch: 'main' },
  { commit: 'docs: say more', files: { 'README.md': 'a\n' } },
  { merge: 'fix/one', message: 'Merge pull request #7 from ada/fix/one\n\nFix wrong first value' },
  { branch: 'stable' },
  { commit: 'Fix the stable value for good', ...fix() },
  {
    commit: 'Fix the other stable value as well',
    files: { 'app/other.py': code(3), 'tests/test_other.py': cases('assert 1') },
  },
  { branch: 'main' },
  { commit: 'docs: say even more', files: { 'README.md': 'b\n' } },
  { merge: 'stable', message: "Merge branch 'stable'" },
  { branch: 'renovate/all', at: 'main' },
  { commit: 'Fix wrong dependency', ...fix() },
  { branch: 'main' },
  { commit: 'docs: the last word', files: { 'README.md': 'c\n' } },
  { merge: 'renovate/all', message: 'Merge pull request #9 from ada/renovate/all\n\nFix wrong dependency of value' },
]

type Outcome = Draft | Skip
let root: string
let built: BuiltRepository
let repository: Repository
beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'r2e-commits-'))
  built = await buildRepository(join(root, 'sample'), STEPS)
  repository = await createGitSource().open(
    { url: built.directory, ref: 'HEAD', access: 'auto' },
    { cacheDirectory: join(root, 'cache') },
  )
})
afterAll(async () => {
  await repository[Symbol.asyncDispose]()
  await rm(root, { recursive: true })
})

async function mine(written: object): Promise<ReadonlyMap<string, Outcome>> {
  const options = v.parse(commitRuntime.options, written)
  const shared = {
    options,
    repository,
    languages: languagePacks,
    role: roleUnder(languagePacks),
    signal: new AbortController().signal,
  }
  const outcomes = new Map<string, Outcome>()
  for await (const item of commitRuntime.discover(shared)) {
    const tree = item.kind === 'found' ? await repository.tree(item.candidate.base) : undefined
    const outcome = item.kind === 'found' ? await commitRuntime.draft(item.candidate, { ...shared, tree: tree! }) : item
    outcomes.set(item.kind === 'found' ? item.candidate.title : item.title!, outcome)
  }
  return outcomes
}
const reasons = (outcomes: ReadonlyMap<string, Outcome>) =>
  [...outcomes].map(([title, outcome]) => [title, outcome.kind === 'skip' ? outcome.reason : 'draft'] as const)
const drafted = (outcomes: ReadonlyMap<string, Outcome>, title: string): Draft => {
  const outcome = outcomes.get(title)
  if (outcome?.kind !== 'draft') throw new Error(`${title}: ${JSON.stringify(outcome)}`)
  return outcome
}

describe('commit_runtime', () => {
  it('gives every commit a draft or its reason, newest first [A2 A3 A4 A6 A7 A8 A13 G16]', async () => {
    expect(reasons(await mine({ exclude_authors: ['MAX@example.com'] }))).toEqual([
      ['Merge pull request #9 from ada/renovate/all', 'bot_author'],
      ['docs: the last word', 'short_message'],
      ["Merge branch 'stable'", 'short_message'],
      ['docs: say even more', 'short_message'],
      ['Merge pull request #7 from ada/fix/one', 'short_message'],
      ['docs: say more', 'short_message'],
      ['Fix a value that lives in a fixture', 'draft'],
      ['Fix a value that moved to the tests', 'draft'],
      ['Fix the value of a broken submodule', 'unsupported_change'],
      ['Fix the value in far too many files', 'too_many_source_files'],
      ['Fix the value and only comment on tests', 'no_new_test_funcs'],
      ['Fix a crash of the suite alone', 'empty_source_patch'],
      ['Fix the value without any test', 'no_test_patch'],
      ['Fix wrong words in the documents', 'empty_source_patch'],
      ['Fix a crash that only machines see', 'ci_only_patch'],
      ['Release 1.2.3 of the fixed value', 'non_bugfix_type'],
      ['Let the value grow a bit more', 'no_bugfix_signal'],
      ['feat: add a fixed and correct value', 'non_bugfix_type'],
      ['fix value', 'short_message'],
      ['Fix a wrong value by an excluded author', 'excluded_author'],
      ['Fix a wrong bot value in here', 'bot_author'],
      ['Fix the wrong value of nothing at all (#11)', 'draft'],
      ['root', 'root_commit'],
    ])
  })

  it('takes merges and features where the options allow them [A13 A5]', async () => {
    const outcomes = await mine({ bugfix_only: false, min_message_words: 0, require_new_test_funcs: false })
    const kinds = new Map(reasons(outcomes))
    for (const title of [
      "Merge branch 'stable'",
      'Merge pull request #7 from ada/fix/one',
      'feat: add a fixed and correct value',
      'Fix the value and only comment on tests',
    ])
      expect(kinds.get(title), title).toBe('draft')
    expect(drafted(outcomes, "Merge branch 'stable'").instruction).toMatch(
      /^- Fix the stable value for good\n- Fix the other stable value as well\n\n/,
    )
    const request = drafted(outcomes, 'Merge pull request #7 from ada/fix/one')
    expect(request.instruction).toMatch(/^Fix wrong first value\n\nIt printed one where two was right\.\n\n/)
    expect(drafted(outcomes, 'feat: add a fixed and correct value').category).toBe('feature')
  })

  it('leaves merges out where it is told to, and follows all parents [A13]', async () => {
    const skipped = new Map(reasons(await mine({ skip_merge_commits: true, min_message_words: 0 })))
    expect(skipped.get("Merge branch 'stable'")).toBe('merge_commit')
    const all = new Map(reasons(await mine({ first_parent: false })))
    expect(all.get("Merge branch 'stable'")).toBe('merge_commit')
    expect(all.get('Fix the first wrong value on a branch')).toBe('draft')
  })

  it('walks the branch and the dates it is given', async () => {
    const stable = await mine({ branch: built.commits[2]! })
    expect([...stable.keys()]).toEqual([
      'Fix a wrong bot value in here',
      'Fix the wrong value of nothing at all (#11)',
      'root',
    ])
    const dated = await mine({ since: '2024-01-01T01:00:00Z', until: '2024-01-01T02:30:00Z' })
    expect([...dated.keys()]).toEqual(['Fix a wrong bot value in here', 'Fix the wrong value of nothing at all (#11)'])
  })

  it('honours the floors and limits of its options', async () => {
    const few = new Map(reasons(await mine({ max_source_files_per_commit: 20, min_problem_statement_words: 9 })))
    expect(few.get('Fix the value in far too many files')).toBe('problem_statement_too_short')
    expect(few.get('Fix a value that lives in a fixture')).toBe('draft')
    const more = new Map(reasons(await mine({ max_source_files_per_commit: 20, skip_ci_only: false })))
    expect(more.get('Fix the value in far too many files')).toBe('draft')
    expect(more.get('Fix a crash that only machines see')).toBe('empty_source_patch')
  })

  it('writes the text without what leads to the change [C1 C4 C10 M4]', async () => {
    const draft = drafted(await mine({}), 'Fix the wrong value of nothing at all (#11)')
    expect(draft.instruction).toMatch(
      /^Fix the wrong value of nothing at all\n\nIt was zero\.\n\nMake the change in the source code/,
    )
    expect(draft.metadata).toEqual({
      commit_sha: built.commits[1],
      parent_sha: built.commits[0],
      authored_at: expect.stringMatching(/^2024-01-01T01:00:00/),
      subject_hash: expect.stringMatching(/^[0-9a-f]{12}$/),
      instruction_synthesized: false,
      llm_cost_usd: 0,
    })
    expect(JSON.stringify(draft.provenance)).not.toContain('@')
  })

  it('keeps each side of a rename between source and tests on its own side [G04]', async () => {
    const draft = drafted(await mine({}), 'Fix a value that moved to the tests')
    expect(draft.hidden.map(({ kind, path }) => `${kind} ${path}`)).toEqual([
      'delete tests/helper.py',
      'write tests/moved.py',
      'write tests/test_value.py',
    ])
    expect(decodeUtf8(draft.solution)).toContain('deleted file mode 100644')
    const names = [...decodeUtf8(draft.solution).matchAll(/^diff --git a\/(\S+)/gm)].map((match) => match[1])
    expect(names.toSorted()).toEqual(['app/f1.py', 'app/helper.py', 'app/value.py'])
    const { commit_sha: after, parent_sha: before } = draft.metadata as Record<string, string>
    const solved = await treeAfter(built.directory, before, [draft.solution])
    const rest = await runGit(built.directory, 'diff', '--name-only', '--no-renames', solved, after!)
    expect(rest.split('\n')).toEqual(draft.hidden.map(({ path }) => path))
  })

  it('passes the options of grading on', async () => {
    const written = {
      require_fail_to_pass: false,
      skip_validation: true,
      min_fail_to_pass: 2,
      max_pass_to_pass: 9,
      validation_timeout_sec: 7,
      full_suite_limit_sec: 8,
      f2p_from: ['fail'],
    }
    expect(drafted(await mine(written), 'Fix a value that lives in a fixture').plan).toEqual({
      tests: {
        requireFailToPass: false,
        skipValidation: true,
        minFailToPass: 2,
        maxPassToPass: 9,
        timeoutSec: 7,
        fullSuiteLimitSec: 8,
        failToPassFrom: ['fail'],
      },
      environment: true,
    })
  })
})

describe('commit_runtime on a source that withholds patches', () => {
  it('passes the reason on [W26]', async () => {
    const source = createGitSource({ maxDiffBytes: 1000 })
    await using small = await source.open(
      { url: built.directory, ref: 'HEAD', access: 'auto' },
      { cacheDirectory: join(root, 'small') },
    )
    const shared = {
      options: v.parse(commitRuntime.options, {}),
      repository: small,
      languages: languagePacks,
      role: roleUnder(languagePacks),
      signal: new AbortController().signal,
    }
    const found: string[] = []
    for await (const item of commitRuntime.discover(shared)) if (item.kind === 'skip') found.push(item.reason)
    expect(found).toContain('diff_too_large')
  })
})
