import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { isR2eError, type RepoSource, type RepoSpec, type Repository } from '@r2e/spec'
import { type BuiltRepository, buildRepository } from '../repository/build-repository.ts'
import { runGit } from '../repository/run-git.ts'
import { changeChecks } from './change-checks.ts'
import { SAMPLE_HISTORY } from './sample-history.ts'
import { treeChecks } from './tree-checks.ts'

/** One fact that holds for every adapter: `for (const check of sourceSuite(…)) it(check.title, check.run)`. */
export interface SourceCheck {
  readonly title: string
  run(): Promise<void>
}

export interface SourceSuiteOptions {
  create(): RepoSource
  /** The address to open for a repository that lies in `directory`; default: the directory. */
  readonly url?: (directory: string) => string
}

/** An open repository and what is known about it. */
export interface SourceFixture {
  readonly built: BuiltRepository
  readonly repository: Repository
}

/** A named fact about the sample repository. */
export interface FixtureCheck {
  readonly title: string
  run(fixture: SourceFixture): Promise<void>
}

/** The conformance suite of RepoSource. Checks of methods that the adapter does not have pass. Each cleans up after itself. */
export function sourceSuite(options: SourceSuiteOptions): readonly SourceCheck[] {
  const checks = [...identityChecks, ...treeChecks, ...changeChecks]
  return [
    ...checks.map(({ title, run }) => ({ title, run: () => withFixture(options, run) })),
    ...errorChecks.map(({ title, run }) => ({ title, run: () => run(options) })),
  ]
}

const identityChecks: readonly FixtureCheck[] = [
  {
    title: 'names the repository, its head and its first commit',
    async run({ built, repository }) {
      assert.equal(repository.head, built.commits.at(-1))
      assert.equal(await repository.rootCommit(), built.commits[0])
      for (const name of [repository.owner, repository.name]) assert.match(name, /^[A-Za-z0-9_][A-Za-z0-9._-]*$/)
      assert.equal((await repository.commit(repository.head)).message.trimEnd().split('\n')[0], 'Fix the feature (#9)')
    },
  },
]

const errorChecks = [
  {
    title: 'tells the commit of a ref as the open repository has it, or leaves that to opening it',
    run: (options: SourceSuiteOptions) =>
      withDirectory(async (directory) => {
        await buildRepository(join(directory, 'sample'), SAMPLE_HISTORY)
        await using repository = await open(options, directory, 'HEAD')
        const { owner, name, url, head: commit } = repository
        const resolved = await options.create().resolve?.(specOf(options, directory, 'HEAD'), cacheIn(directory))
        if (resolved) assert.deepEqual(resolved, { owner, name, url, commit })
      }),
  },
  {
    title: 'says that a ref does not exist, and which ones are near',
    run: (options: SourceSuiteOptions) =>
      withDirectory(async (directory) => {
        await buildRepository(join(directory, 'sample'), SAMPLE_HISTORY)
        const error = await failure(options, directory, 'mian')
        assert.deepEqual([error.code, error.fault], ['ref_not_found', 'user'])
        assert.match(`${error.message} ${error.fix}`, /mian.*main/)
      }),
  },
  {
    title: 'refuses a repository without commits',
    run: (options: SourceSuiteOptions) =>
      withDirectory(async (directory) => {
        await runGit(directory, 'init', '--quiet', 'sample')
        assert.equal((await failure(options, directory, 'HEAD')).fault, 'user')
      }),
  },
]

async function failure(options: SourceSuiteOptions, directory: string, ref: string) {
  try {
    await (await open(options, directory, ref))[Symbol.asyncDispose]()
  } catch (error) {
    if (isR2eError(error)) return error
    throw error
  }
  return assert.fail('the repository opens')
}

async function withFixture(
  options: SourceSuiteOptions,
  work: (fixture: SourceFixture) => Promise<void>,
): Promise<void> {
  await withDirectory(async (directory) => {
    const built = await buildRepository(join(directory, 'sample'), SAMPLE_HISTORY)
    await using repository = await open(options, directory, 'HEAD')
    await work({ built, repository })
  })
}

function open(options: SourceSuiteOptions, directory: string, ref: string): Promise<Repository> {
  return options.create().open(specOf(options, directory, ref), cacheIn(directory))
}

function specOf({ url = (path) => path }: SourceSuiteOptions, directory: string, ref: string): RepoSpec {
  return { url: url(join(directory, 'sample')), ref, access: 'auto' }
}

const cacheIn = (directory: string) => ({ cacheDirectory: join(directory, 'cache') })

async function withDirectory(work: (directory: string) => Promise<void>): Promise<void> {
  const directory = await mkdtemp(join(tmpdir(), 'r2e-source-'))
  try {
    await work(directory)
  } finally {
    await rm(directory, { recursive: true, force: true })
  }
}
