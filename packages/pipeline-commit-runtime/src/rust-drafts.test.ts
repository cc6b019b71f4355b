import { readFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { roleUnder, spliceTests } from '@r2e/kit'
import { languagePacks, rustPack } from '@r2e/languages'
import { createGitSource } from '@r2e/source/git'
import { type Draft, decodeUtf8, type Repository, type Skip } from '@r2e/spec'
import { buildRepository, type RepositoryStep, runGit, runGitBytes } from '@r2e/testing'
import * as v from 'valibot'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { commitRuntime } from './index.ts'

const lines = Array.from({ length: 12 }, (_, at) => `// part ${at}\n`).join('')
const source = (value: number, ...tests: readonly string[]) => `pub fn value() -> u32 {
    ${value}
}

${lines}
#[cfg(test)]
mod tests {
    use super::*;
${tests.map((test) => `\n    #[test]\n    fn ${test}() {\n        assert_eq!(value(), ${value});\n    }\n`).join('')}}
`
const nested = (name: string) =>
  `pub mod inner {\n    #[cfg(test)]\n    mod tests {\n        #[test]\n        fn ${name}() {}\n    }\n}\n`

const STEPS: readonly RepositoryStep[] = [
  {
    commit: 'root',
    files: { 'src/lib.rs': source(1, 'one'), 'src/old.rs': source(1, 'one'), 'src/deep.rs': nested('a') },
  },
  { commit: 'Fix the wrong value beside its test', files: { 'src/lib.rs': source(2, 'one', 'two') } },
  { commit: 'Fix the wrong value of a test alone', files: { 'src/lib.rs': source(2, 'one', 'two', 'three') } },
  {
    commit: 'Fix the missing value in a new file',
    files: { 'src/new.rs': source(3, 'one'), 'src/lib.rs': `${source(2, 'one', 'two', 'three')}pub mod new;\n` },
  },
  {
    commit: 'Fix the wrong value in a moved file',
    rename: { 'src/old.rs': 'src/moved.rs' },
    files: { 'src/moved.rs': source(4, 'one', 'two') },
  },
  {
    commit: 'Fix the wrong value without its tests',
    files: { 'src/moved.rs': source(5, 'one').replace(/#\[cfg[\s\S]*/, '') },
  },
  { commit: 'Fix the wrong nested test in here', files: { 'src/deep.rs': nested('b') } },
  {
    commit: 'Fix the value with a comment on a test',
    files: {
      'src/lib.rs': source(6, 'one', 'two', 'three')
        .replace('    fn one', '    // says one\n    fn one')
        .replaceAll('value(), 6', 'value(), 2'),
    },
  },
  {
    commit: 'Fix the value without any test here',
    files: {
      'src/lib.rs': source(7, 'one', 'two', 'three')
        .replace('    fn one', '    // says one\n    fn one')
        .replaceAll('value(), 7', 'value(), 2'),
    },
  },
]

let root: string
let directory: string
let commits: readonly string[]
let repository: Repository
const outcomes = new Map<string, Draft | Skip>()
beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'r2e-rust-drafts-'))
  directory = join(root, 'sample')
  commits = (await buildRepository(directory, STEPS)).commits
  repository = await createGitSource().open(
    { url: directory, ref: 'HEAD', access: 'auto' },
    { cacheDirectory: join(root, 'cache') },
  )
  const signal = new AbortController().signal
  const role = roleUnder(languagePacks)
  const shared = { options: v.parse(commitRuntime.options, {}), repository, languages: languagePacks, role, signal }
  for await (const item of commitRuntime.discover(shared)) {
    if (item.kind === 'skip') outcomes.set(item.title!, item)
    else {
      const tree = await repository.tree(item.candidate.base)
      outcomes.set(item.candidate.title, await commitRuntime.draft(item.candidate, { ...shared, tree }))
    }
  }
})
afterAll(async () => {
  await repository[Symbol.asyncDispose]()
  await rm(root, { recursive: true })
})

interface Solved {
  /** Source files with the solution and without the hidden test code. */
  readonly shown: Readonly<Record<string, string>>
  /** With both. */
  readonly whole: Readonly<Record<string, string>>
  readonly draft: Draft
}

/** A draft's solution put on its base by git, then its hidden test code put into what that gives. */
async function solve(title: string): Promise<Solved> {
  const draft = outcomes.get(title)
  if (draft?.kind !== 'draft') throw new Error(`${title}: ${JSON.stringify(draft)}`)
  await runGit(directory, 'checkout', '--quiet', '--force', `${commitOf(title)}~1`)
  await runGitBytes({ directory, input: draft.solution }, 'apply', '--index', '-')
  const paths = (await runGit(directory, 'ls-files')).split('\n')
  const shown = Object.fromEntries(paths.map((path) => [path, readFileSync(join(directory, path), 'utf8')]))
  const whole = { ...shown }
  for (const edit of draft.hidden) {
    if (edit.kind !== 'inline') throw new Error(`${edit.path} is hidden as a file`)
    const find = (text: string) => rustPack.inlineTests!(edit.path, text)
    whole[edit.path] = spliceTests(whole[edit.path]!, decodeUtf8(edit.content), find)
  }
  return { shown, whole, draft }
}

const commitOf = (title: string) => commits[STEPS.findIndex((step) => 'commit' in step && step.commit === title)]!

async function treeOf(title: string): Promise<Record<string, string>> {
  const paths = (await runGit(directory, 'ls-tree', '-r', '--name-only', commitOf(title))).split('\n')
  const texts = paths.map(async (path) => [
    path,
    (await runGitBytes({ directory }, 'show', `${commitOf(title)}:${path}`)).toString(),
  ])
  return Object.fromEntries(await Promise.all(texts))
}

describe('a commit whose tests stand in the files it changes', () => {
  it('is a draft or a skip by what its test code does [A1 A3]', () => {
    const kinds = [...outcomes]
      .reverse()
      .map(([title, found]) => [title, found.kind === 'skip' ? found.reason : 'draft'])
    expect(kinds).toEqual([
      ['root', 'root_commit'],
      ['Fix the wrong value beside its test', 'draft'],
      ['Fix the wrong value of a test alone', 'empty_source_patch'],
      ['Fix the missing value in a new file', 'draft'],
      ['Fix the wrong value in a moved file', 'draft'],
      ['Fix the wrong value without its tests', 'no_new_test_funcs'],
      ['Fix the wrong nested test in here', 'unsupported_change'],
      ['Fix the value with a comment on a test', 'no_new_test_funcs'],
      ['Fix the value without any test here', 'no_test_patch'],
    ])
  })

  for (const title of [
    'Fix the wrong value beside its test',
    'Fix the missing value in a new file',
    'Fix the wrong value in a moved file',
  ])
    it(`gives the tree of the commit from its solution and its hidden test code: ${title} [J2]`, async () => {
      expect((await solve(title)).whole).toEqual(await treeOf(title))
    })

  it('keeps the old test code beside the new source, and shows no new test [A1]', async () => {
    const { shown, draft } = await solve('Fix the wrong value beside its test')
    expect(shown['src/lib.rs']).toBe(source(1, 'one').replace('    1\n}', '    2\n}'))
    expect(draft.changedLines).toBe(2)
    expect(draft.hidden.map(({ path }) => path)).toEqual(['src/lib.rs'])
  })

  it('shows of a new file its source alone', async () => {
    const { shown, draft } = await solve('Fix the missing value in a new file')
    expect(shown['src/new.rs']).toBe(source(3).replace(/\n#\[cfg[\s\S]*/, ''))
    expect(draft.hidden.map(({ path }) => path)).toEqual(['src/new.rs'])
  })
})
