import { join } from 'node:path'
import { ConfigSchema, type Pipeline, type RunConfig } from '@r2e/spec'
import type { GenericSchema } from 'valibot'
import type { FlagValues } from '../commands/command.ts'
import { type LanguageNames, languageNames } from '../compose/languages.ts'
import { loadPipeline } from '../compose/pipelines.ts'
import type { Context } from '../context.ts'
import { assignmentLayer } from './assignment.ts'
import { checkKeys } from './check-keys.ts'
import { checkValues } from './check-values.ts'
import { environmentAssignments } from './environment.ts'
import { flagAssignments } from './flag-assignments.ts'
import { isMapping, type Layer, mergeLayers, type Values } from './layer.ts'
import { absolutePath, normalise } from './normalise.ts'
import type { Origin } from './origin.ts'
import { problemError } from './problem.ts'
import { type ConfigFile, readConfigFile } from './read-file.ts'
import { checkRules } from './rules.ts'

export interface Resolved {
  readonly config: RunConfig
  readonly pipeline: Pipeline
  /** By dotted path; a path that is absent has its default. */
  readonly origins: ReadonlyMap<string, Origin>
  /** Absolute path of the `.r2e` folder. */
  readonly stateDirectory: string
}

/**
 * Flags over environment over file over defaults, validated once after the merge: the schema of the configuration, then
 * the pipeline's own schema of its options, then the rules across fields.
 * @throws R2eError of fault user with every problem found by the first of these steps that finds one
 */
export async function resolveConfig(flags: FlagValues, context: Context): Promise<Resolved> {
  const named = flags.get('config')
  const file = typeof named === 'string' ? await readConfigFile(named, places(context)) : undefined
  const folder = file?.folder ?? context.directory
  const layers = layersOf(flags, { file, context }, ConfigSchema)
  const merged = mergeLayers(layers)
  refuse(layers.flatMap((layer) => checkKeys(layer, ConfigSchema)))
  const written = accept(checkValues(ConfigSchema, withSections(merged.values), { merged, prefix: [] }))

  const origin = merged.origins.get('pipeline.name')
  const directory = origin?.kind === 'file' ? folder : context.directory
  const pipeline = await loadPipeline(written.pipeline.name, { directory, folder, origin })
  const typed = layersOf(flags, { file, context }, withOptions(pipeline.options)).map(optionsOf)
  refuse(typed.flatMap((layer) => checkKeys(layer, withOptions(pipeline.options))))
  const values = mergeLayers(typed).values as { pipeline?: { options?: Values } }
  const options = accept(
    checkValues(pipeline.options, values.pipeline?.options ?? {}, { merged, prefix: ['pipeline', 'options'] }),
  )
  const config: RunConfig = {
    ...written,
    pipeline: { name: pipeline.name, options: options as Record<string, unknown> },
  }
  const languages = await languageNames()
  refuse(checkRules({ config, pipeline, merged, languages, file: file?.values as Values | undefined }))

  const state = flags.get('state-dir')
  return {
    config: withLanguages(normalise(config, places(context)), languages),
    pipeline,
    origins: merged.origins,
    stateDirectory: typeof state === 'string' ? absolutePath(state, places(context)) : join(folder, '.r2e'),
  }
}

/** Aliases give way to the names that packs have. */
function withLanguages(config: RunConfig, languages: LanguageNames): RunConfig {
  const hints = config.bootstrap.languages_hint.map((alias) => languages.nameOf(alias) ?? alias)
  return { ...config, bootstrap: { ...config.bootstrap, languages_hint: hints } }
}

function places(context: Context): { directory: string; home: string } {
  return { directory: context.directory, home: context.home }
}

interface Inputs {
  readonly file: ConfigFile | undefined
  readonly context: Context
}

function layersOf(flags: FlagValues, inputs: Inputs, schema: GenericSchema): readonly Layer[] {
  const { file, context } = inputs
  return [
    ...(file ? [fileLayer(file)] : []),
    assignmentLayer(environmentAssignments(context.environment), schema),
    assignmentLayer(flagAssignments(flags), schema),
  ]
}

function fileLayer(file: ConfigFile): Layer {
  return {
    values: file.values as Values,
    originOf: (path) => ({ kind: 'file', file: file.name, position: file.positionOf(path) }),
  }
}

/** The required sections, so that what is missing is named by its value: `repo.url`, not `repo`. */
function withSections(values: Values): Values {
  return { repo: {}, pipeline: {}, output: {}, ...values }
}

/** Only the options of the pipeline: everything else has been checked. */
function optionsOf(layer: Layer): Layer {
  const { pipeline } = layer.values
  const options = isMapping(pipeline) && isMapping(pipeline.options) ? pipeline.options : {}
  return { ...layer, values: { pipeline: { options } } }
}

function withOptions(options: GenericSchema): GenericSchema {
  return { type: 'object', entries: { pipeline: { type: 'object', entries: { options } } } } as unknown as GenericSchema
}

function refuse(problems: Parameters<typeof problemError>[0]): void {
  if (problems.length > 0) throw problemError(problems)
}

function accept<T>(checked: ReturnType<typeof checkValues<T>>): T {
  if (!checked.ok) throw problemError(checked.problems)
  return checked.output
}
