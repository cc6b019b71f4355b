import { ConfigSchema } from '@r2e/spec'
import { toJsonSchema } from '@valibot/to-json-schema'

/** The JSON Schema of a configuration file, as committed in docs/reference/config.schema.json. */
export function configJsonSchema(): string {
  const schema = toJsonSchema(ConfigSchema, { typeMode: 'input', errorMode: 'throw' })
  return `${JSON.stringify({ ...schema, title: 'r2e configuration' }, undefined, 2)}\n`
}
