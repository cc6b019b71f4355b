import { ConfigSchema, type RunConfig } from '@r2e/spec'
import type { GenericSchema } from 'valibot'
import type { FlagValues } from '../commands/command.ts'
import type { Context } from '../context.ts'
import { assignmentLayer } from './assignment.ts'
import { checkKeys } from './check-keys.ts'
import { checkValues } from './check-values.ts'
import { environmentAssignments } from './environment.ts'
import { flagAssignments } from './flag-assignments.ts'
import { isMapping, type Merged, mergeLayers, type Values } from './layer.ts'
import { absolutePath } from './normalise.ts'
import { problemError } from './problem.ts'
import { schemaAt } from './shape.ts'

/** The section `sandbox` alone, from flags and variables, for commands that read no configuration file. */
export function resolveSandbox(flags: FlagValues, context: Context): RunConfig['sandbox'] {
  const section = readSection('sandbox', flags, context)
  const { rootfs, ...others } = accept<RunConfig['sandbox']>('sandbox', section)
  return { ...others, rootfs: rootfs && absolutePath(rootfs, context) }
}

/** The section `llm` in the same way; null where neither names a model. */
export function resolveModel(flags: FlagValues, context: Context): RunConfig['llm'] {
  const section = readSection('llm', flags, context)
  return Object.keys(section.values).length === 0 ? null : accept<NonNullable<RunConfig['llm']>>('llm', section)
}

interface Section {
  readonly values: Values
  readonly merged: Merged
}

function readSection(name: 'sandbox' | 'llm', flags: FlagValues, context: Context): Section {
  const variables = environmentAssignments(context.environment).filter(({ path }) => path[0] === name)
  const layers = [variables, flagAssignments(flags)].map((assignments) => assignmentLayer(assignments, ConfigSchema))
  const problems = layers.flatMap((layer) => checkKeys(layer, ConfigSchema))
  if (problems.length > 0) throw problemError(problems)
  const merged = mergeLayers(layers)
  const values = merged.values[name]
  return { values: isMapping(values) ? values : {}, merged }
}

function accept<T>(name: 'sandbox' | 'llm', { values, merged }: Section): T {
  const schema = schemaAt(ConfigSchema, [name]) as GenericSchema<unknown, T>
  const checked = checkValues(schema, values, { merged, prefix: [name] })
  if (!checked.ok) throw problemError(checked.problems)
  return checked.output
}
