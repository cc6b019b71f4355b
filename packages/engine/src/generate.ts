import { randomBytes } from 'node:crypto'
import { rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import {
  digestJson,
  isR2eError,
  type JsonObject,
  type Repository,
  type RunConfig,
  type RunEvent,
  type RunSummary,
} from '@r2e/spec'
import { openContext } from './candidate/open-context.ts'
import { openDataset } from './dataset/open-dataset.ts'
import { dryRun } from './dry-run.ts'
import type { JournalHeader } from './journal/journal.ts'
import { makeFolder } from './journal/make-folder.ts'
import { sweepOwned } from './journal/owned-name.ts'
import { type RunDirectory, resumeRun, startRun } from './journal/run-directory.ts'
import { TEMPORARY_FILE } from './journal/write-durably.ts'
import type { EnginePorts, RunOptions } from './ports.ts'
import {
  parsePipelineOptions,
  requireCapabilities,
  requireModel,
  requireSandbox,
  taskConfiguration,
} from './preflight.ts'
import { makeScratchFolder } from './render/scratch-folder.ts'
import { createChannel } from './schedule/channel.ts'
import { settleCandidates } from './settle-candidates.ts'
import { sparseRepository } from './sparse-repository.ts'

/**
 * One run: repository → candidates → proven tasks → dataset. Progress by `yield`, the summary by `return`.
 * @throws R2eError (fault user) before anything is written; the signal's reason when it fires, the journal whole
 */
export async function* generate(
  config: RunConfig,
  ports: EnginePorts,
  options: RunOptions,
): AsyncGenerator<RunEvent, RunSummary> {
  const stop = new AbortController()
  const signal = AbortSignal.any([stop.signal, options.signal])
  const channel = createChannel<RunEvent>()
  const input = { config, ports, options: { ...options, signal }, emit: channel.push }
  const work = options.dryRun ? rehearse(input) : leavingNoTrace(options.stateDirectory, () => run(input))
  try {
    return yield* channel.drain(work)
  } finally {
    stop.abort()
    await work.catch(() => {})
  }
}

interface RunInput {
  readonly config: RunConfig
  readonly ports: EnginePorts
  readonly options: RunOptions
  readonly emit: (event: RunEvent) => void
}

/** Bad input leaves nothing behind: a state folder that was made for nothing is removed. */
async function leavingNoTrace<T>(stateDirectory: string, work: () => Promise<T>): Promise<T> {
  const made = await makeFolder(stateDirectory)
  try {
    return await work()
  } catch (error) {
    const inUse = await isFolder(join(stateDirectory, 'runs'))
    if (made.length > 0 && !inUse && isR2eError(error) && error.fault === 'user')
      await rm(stateDirectory, { recursive: true, force: true })
    throw error
  }
}

async function run(input: RunInput): Promise<RunSummary> {
  const { config, ports, options, emit } = input
  const pipelineOptions = parsePipelineOptions(ports.pipeline, config.pipeline.options)
  await requireSandbox(config, ports, options.signal)
  const wanted = headerOf(input, pipelineOptions)
  const runs = join(options.stateDirectory, 'runs')
  await using resumed = options.resume === false ? undefined : await resumeRun(runs, options.resume, wanted)
  if (resumed) await keepLedger(ports, resumed)
  await requireModel(ports, pipelineOptions, options.signal)
  await using dataset = await openDataset(datasetOptions(config, wanted))
  await using repository = await openRepository(input, resumed?.journal.header.head ?? config.repo.ref)
  requireCapabilities(ports, repository)
  await using started = resumed ? undefined : await startRun(runs, { ...wanted, head: repository.head })
  const directory = (resumed ?? started) as RunDirectory
  if (started) await keepLedger(ports, started)
  await ports.sandbox?.sweep()
  await sweepState(input, directory)
  emit({
    type: 'run-start',
    run: directory.journal.header.run,
    pipeline: ports.pipeline.name,
    repo: repository.url,
    head: repository.head,
    directory: directory.path,
    resumed: directory.resumed,
  })
  const enough = new AbortController()
  const inner = { ...options, signal: AbortSignal.any([options.signal, enough.signal]) }
  const context = await openContext({ ...input, options: inner, pipelineOptions, repository, directory })
  const summary = await settleCandidates({ context, dataset, signal: options.signal, stopWork: () => enough.abort() })
  emit({ type: 'run-end', summary })
  return summary
}

/** Before the first call of a run that goes on, and as soon as a new one has a folder. */
async function keepLedger({ model }: EnginePorts, { path }: RunDirectory): Promise<void> {
  await model?.keepLedger(join(path, 'spend.jsonl'))
}

/** Removes files that a killed process was about to write. */
async function sweepState({ config, options }: RunInput, { path }: RunDirectory): Promise<void> {
  for (const folder of [join(options.stateDirectory, 'blobs'), path]) await sweepOwned(folder, TEMPORARY_FILE)
  const flat = [join(cacheOf(options.stateDirectory), 'observations'), config.bootstrap.cache_dir]
  for (const folder of flat) await sweepOwned(folder, TEMPORARY_FILE, false)
}

async function rehearse(input: RunInput): Promise<RunSummary> {
  const { ports, config, emit, options } = input
  const pipelineOptions = parsePipelineOptions(ports.pipeline, config.pipeline.options)
  const kept = await isFolder(cacheOf(options.stateDirectory))
  const stateDirectory = kept ? options.stateDirectory : await makeScratchFolder()
  try {
    await using repository = await openRepository(
      { ...input, options: { ...options, stateDirectory } },
      config.repo.ref,
    )
    requireCapabilities(ports, repository)
    const summary = await dryRun({ ...input, pipelineOptions, repository })
    emit({ type: 'run-end', summary })
    return summary
  } finally {
    if (!kept) await rm(stateDirectory, { recursive: true, force: true })
  }
}

async function openRepository({ config, ports, options, emit }: RunInput, ref: string): Promise<Repository> {
  const repository = await ports.source.open(
    { ...config.repo, ref },
    {
      cacheDirectory: cacheOf(options.stateDirectory),
      signal: options.signal,
      onProgress: (message) => emit({ type: 'notice', level: 'info', code: 'source', message }),
    },
  )
  return sparseRepository(repository, config.repo.sparse_paths)
}

function headerOf({ config, ports, options }: RunInput, pipelineOptions: JsonObject): JournalHeader {
  const configuration = taskConfiguration(config, ports, pipelineOptions)
  const startedAt = options.now().toISOString()
  return {
    schema: 'r2e.journal/1',
    run: `${startedAt.slice(0, 19).replace(/[-:]/g, '').replace('T', '-')}-${randomBytes(2).toString('hex')}`,
    toolVersion: options.toolVersion,
    startedAt,
    configDigest: digestJson({ configuration, tool: options.toolVersion }),
    config: configuration,
    head: '',
  }
}

function datasetOptions({ output, pipeline }: RunConfig, { configDigest }: JournalHeader) {
  const { destination, dataset_name, append, force } = output
  return { directory: destination, name: dataset_name, pipeline: pipeline.name, configDigest, append, force }
}

const cacheOf = (stateDirectory: string) => join(stateDirectory, 'cache')
const isFolder = (path: string) =>
  stat(path).then(
    (found) => found.isDirectory(),
    () => false,
  )
