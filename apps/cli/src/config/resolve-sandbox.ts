import { ConfigSchema, type RunConfig } from '@r2e/spec'
import type { GenericSchema } from 'valibot'
import type { FlagValues } from '../commands/command.ts'
import type { Context } from '../context.ts'
import { assignmentLayer } from './assignment.ts'
import { checkKeys } from './check-keys.ts'
import { checkValues } from './check-values.ts'
import { environmentAssignments } from './environment.ts'
import { flagAssignments } from './flag-assignments.ts'
import { isMapping, mergeLayers } from './layer.ts'
import { absolutePath } from './normalise.ts'
import { problemError } from './problem.ts'
import { schemaAt } from './shape.ts'

type SandboxSection = RunConfig['sandbox']

/** The section `sandbox` alone, from flags and variables, for commands that read no configuration file. */
export function resolveSandbox(flags: FlagValues, context: Context): SandboxSection {
  const schema = schemaAt(ConfigSchema, ['sandbox']) as GenericSchema<unknown, SandboxSection>
  const variables = environmentAssignments(context.environment).filter(({ path }) => path[0] === 'sandbox')
  const layers = [variables, flagAssignments(flags)].map((assignments) => assignmentLayer(assignments, ConfigSchema))
  const problems = layers.flatMap((layer) => checkKeys(layer, ConfigSchema))
  if (problems.length > 0) throw problemError(problems)
  const merged = mergeLayers(layers)
  const { sandbox } = merged.values
  const checked = checkValues(schema, isMapping(sandbox) ? sandbox : {}, { merged, prefix: ['sandbox'] })
  if (!checked.ok) throw problemError(checked.problems)
  const { rootfs } = checked.output
  return { ...checked.output, rootfs: rootfs && absolutePath(rootfs, context) }
}
