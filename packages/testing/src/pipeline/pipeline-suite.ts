import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { roleUnder } from '@r2e/kit'
import type { Candidate, Draft, Found, LanguagePack, Pipeline, Repository, Skip } from '@r2e/spec'
import { buildRepository } from '../repository/build-repository.ts'
import type { RepositoryStep } from '../repository/repository-step.ts'
import { candidateChecks, definitionChecks } from './discovery-checks.ts'
import { draftChecks } from './draft-checks.ts'
import { PIPELINE_HISTORY } from './pipeline-history.ts'
import { type PipelineRun, parse, type RunCheck } from './pipeline-run.ts'

/** One fact that holds for every pipeline: `for (const check of pipelineSuite(…)) it(check.title, check.run)`. */
export interface PipelineCheck {
  readonly title: string
  run(): Promise<void>
}

export interface PipelineSuiteOptions<Options, C extends Candidate> {
  readonly pipeline: Pipeline<Options, C>
  /** Opens the repository in a folder, with a folder for its cache; disposed by the suite. */
  open(directory: string, cacheDirectory: string): Promise<Repository>
  readonly languages: readonly LanguagePack[]
  /** Options as a user writes them; default: none. */
  readonly options?: Readonly<Record<string, unknown>>
  /** The history to mine, with one draft in it at least; default: {@link PIPELINE_HISTORY}. */
  readonly history?: readonly RepositoryStep[]
}

/** The conformance suite of pipelines that need neither model nor sandbox before drafting. */
export function pipelineSuite<Options, C extends Candidate>(
  options: PipelineSuiteOptions<Options, C>,
): readonly PipelineCheck[] {
  const suite = options as unknown as PipelineSuiteOptions<unknown, Candidate>
  const definition = { pipeline: suite.pipeline, written: suite.options ?? {} }
  return [
    ...definitionChecks.map(({ title, run }) => ({ title, run: async () => run(definition) })),
    ...[...candidateChecks, ...draftChecks].map(({ title, run }) => ({ title, run: () => withRun(suite, run) })),
  ]
}

async function withRun(suite: PipelineSuiteOptions<unknown, Candidate>, work: RunCheck['run']): Promise<void> {
  const root = await mkdtemp(join(tmpdir(), 'r2e-pipeline-'))
  try {
    const { directory } = await buildRepository(join(root, 'sample'), suite.history ?? PIPELINE_HISTORY)
    await using repository = await suite.open(directory, join(root, 'cache'))
    await work(await runOver(suite, repository, directory))
  } finally {
    await rm(root, { recursive: true, force: true })
  }
}

async function runOver(
  { pipeline, languages, options: written = {} }: PipelineSuiteOptions<unknown, Candidate>,
  repository: Repository,
  directory: string,
): Promise<PipelineRun> {
  const shared = {
    options: await parse(pipeline.options, written),
    repository,
    languages,
    role: roleUnder(languages),
    signal: new AbortController().signal,
  }
  const draft = async (candidate: Candidate) =>
    pipeline.draft(candidate, { ...shared, tree: await repository.tree(candidate.base) })
  const found: (Found | Skip)[] = []
  for await (const item of pipeline.discover(shared)) found.push(item)
  const drafts = new Map<string, Draft>()
  for (const item of found) {
    const made = item.kind === 'found' ? await draft(item.candidate) : item
    if (made.kind === 'draft' && item.kind === 'found') drafts.set(item.candidate.id, made)
  }
  return { pipeline, written, directory, languages, found, drafts, role: shared.role, draft }
}
