import { join } from 'node:path'
import type {
  Candidate,
  CandidateEnd,
  FileEntry,
  FileRole,
  JsonObject,
  Pipeline,
  Repository,
  RunConfig,
  RunEvent,
} from '@r2e/spec'
import type { EnvironmentMemory } from '../environment/environment-memory.ts'
import type { BlobStore } from '../journal/blobs.ts'
import type { RunDirectory } from '../journal/run-directory.ts'
import type { Observer } from '../observe/observer.ts'
import type { EnginePorts, RunOptions } from '../ports.ts'

/** What every stage of a candidate may use; opened once for a run. */
export interface CandidateContext {
  readonly config: RunConfig
  readonly ports: EnginePorts
  readonly options: RunOptions
  readonly pipelineOptions: JsonObject
  readonly repository: Repository
  readonly access: 'public' | 'private'
  readonly directory: RunDirectory
  readonly blobs: BlobStore
  readonly observer: Observer
  readonly environments: EnvironmentMemory
  readonly grader: readonly FileEntry[]
  /** Tests that moved in other tasks of this repository (`parametrisedTest`): in no list. */
  readonly restless: ReadonlySet<string>
  role(path: string): FileRole
  emit(event: RunEvent): void
}

/** What of a run a task is rendered from, and nothing else. */
export interface RenderContext {
  readonly config: Pick<RunConfig, 'sandbox' | 'seed'> & { readonly output: Pick<RunConfig['output'], 'org'> }
  readonly ports: Pick<EnginePorts, 'languages'> & { readonly pipeline: Pick<Pipeline, 'name' | 'version'> }
  readonly repository: Repository
  readonly access: 'public' | 'private'
  readonly grader: readonly FileEntry[]
  role(path: string): FileRole
}

/** How a candidate came out, before its place in the dataset is decided. */
export interface Settled {
  readonly id: string
  readonly title: string
  readonly end: CandidateEnd
  readonly task?: AdmittedTask | undefined
  /** Taken from the journal instead of worked out. */
  readonly replayed: boolean
  /** False for what discovery already left out. */
  readonly found: boolean
  /** A verdict on a task that was admitted before: it has had its place among the wanted ones. */
  readonly revised?: boolean | undefined
  /** Tests seen to move (`parametrisedTest`), whatever became of the candidate. */
  readonly restless: readonly string[]
  readonly evidence?: JsonObject | undefined
  readonly error?: unknown
}

/** A task that passed every check, as stored: JSON that names its files as blobs. */
export interface AdmittedTask {
  readonly taskId: string
  readonly files: readonly StoredFile[]
  /** Equal for equal changes, whatever commit carries them. */
  readonly changeKey: string
  readonly failToPass: number
  readonly passToPass: number
  /** This task's entry of manifest.json. */
  readonly manifest: JsonObject
  /** What was measured: durations, runs, image. Never part of the task. */
  readonly evidence: JsonObject
}

export interface StoredFile {
  readonly path: string
  readonly mode: FileEntry['mode']
  readonly blob: string
}

/** Candidates that are worked on at one time. */
export function workersOf({ config, options }: CandidateContext): number {
  return Math.min(config.sandbox.concurrency, options.cores)
}

export function candidateDirectory(context: CandidateContext, id: string): string {
  return join(context.directory.path, 'candidates', id.replace(/[^A-Za-z0-9._-]/g, '_').replace(/^-/, ''))
}

export function taskIdOf(repository: Repository, candidate: Candidate): string {
  return `${repository.owner}__${repository.name}${candidate.id}`
}
