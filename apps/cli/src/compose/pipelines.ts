import { stat } from 'node:fs/promises'
import { isAbsolute, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { type Pipeline, userError } from '@r2e/spec'
import { type Origin, originText } from '../config/origin.ts'
import { nearest } from '../nearest.ts'
import { packageEntry } from './package-entry.ts'
import { pipelineFault } from './pipeline-shape.ts'

type Load = () => Promise<Readonly<Record<string, unknown>>>

/** The pipelines that come with the program: a new one is one line here. */
export const PIPELINES: Readonly<Record<string, Load>> = {
  pr_diff: () => import('@r2e/pipeline-pr-diff'),
  commit_runtime: () => import('@r2e/pipeline-commit-runtime'),
}

export interface PipelinePlace {
  /** Absolute: where the name was written; relative paths count from here. */
  readonly directory: string
  /** Absolute: packages are looked for from here upwards. */
  readonly folder: string
  readonly origin: Origin | undefined
}

/**
 * A name is one of ours, a path (it holds a slash), or a package: itself, `@r2e/pipeline-<name>` or `r2e-pipeline-<name>`.
 * @throws R2eError `unknown_pipeline`, `bad_pipeline`
 */
export async function loadPipeline(name: string, place: PipelinePlace): Promise<Pipeline> {
  const known = Object.hasOwn(PIPELINES, name) ? PIPELINES[name] : undefined
  if (known) return pipelineIn(await known(), name)
  const entry = await externalEntry(name, place)
  if (entry === undefined) throw unknownPipeline(name, place)
  return pipelineIn(await importEntry(entry, name), name)
}

async function importEntry(entry: string, name: string): Promise<Readonly<Record<string, unknown>>> {
  try {
    return (await import(pathToFileURL(entry).href)) as Readonly<Record<string, unknown>>
  } catch (error) {
    throw userError(
      'bad_pipeline',
      `the pipeline ${name} cannot be loaded from ${entry}: ${(error as Error).message}`,
      {
        fix: 'build it, and install its dependencies',
        cause: error,
      },
    )
  }
}

async function externalEntry(name: string, place: PipelinePlace): Promise<string | undefined> {
  if (isAbsolute(name) || /^\.{1,2}\//.test(name)) return pathEntry(resolve(place.directory, name))
  if (!/^(?:@[\w.-]+\/)?[\w.-]+$/.test(name)) return undefined
  const kebab = name.replaceAll('_', '-')
  const packages = name.startsWith('@') ? [name] : [`@r2e/pipeline-${kebab}`, `r2e-pipeline-${kebab}`, name]
  for (const candidate of packages) {
    const entry = await packageEntry(candidate, place.folder)
    if (entry) return entry
  }
  return undefined
}

async function pathEntry(path: string): Promise<string | undefined> {
  const status = await stat(path).catch(() => undefined)
  if (!status) return undefined
  return status.isDirectory() ? packageEntry('.', path) : path
}

/** A pipeline is known by its contract, not by the name of its export. */
function pipelineIn(module: Readonly<Record<string, unknown>>, name: string): Pipeline {
  const found = [module.default, ...Object.values(module)].find(isPipeline)
  const fault = found && pipelineFault(found)
  if (found && fault === undefined) return found
  if (fault !== undefined)
    throw userError('bad_pipeline', `the pipeline ${name}: ${fault}`, {
      fix: 'see "The pipeline port" in docs/reference/API.md',
    })
  throw userError('bad_pipeline', `${name} exports no pipeline of the contract r2e.pipeline/1`, {
    fix: 'export default definePipeline({ … })',
  })
}

function isPipeline(value: unknown): value is Pipeline {
  return typeof value === 'object' && value !== null && 'contract' in value && value.contract === 'r2e.pipeline/1'
}

function unknownPipeline(name: string, place: PipelinePlace): Error {
  const known = Object.keys(PIPELINES)
  const guess = nearest(name, known)
  const where = place.origin ? `${originText(place.origin)}: ` : ''
  const fix = guess
    ? `did you mean ${guess}?`
    : `known: ${known.join(', ')}; another one by its path, or by npm install r2e-pipeline-NAME beside the configuration`
  return userError('unknown_pipeline', `${where}there is no pipeline "${name}"`, { fix })
}
