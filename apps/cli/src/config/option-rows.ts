import type { GenericSchema } from 'valibot'
import { defaultOf, descriptionOf, entriesOf, typeText } from './shape.ts'

export interface OptionRow {
  readonly key: string
  readonly type: string
  readonly default: string
  readonly text: string
}

/** The keys of an object schema for people; sections are opened, their keys dotted; one inside its like is one row. */
export function optionRows(schema: GenericSchema, prefix = ''): readonly OptionRow[] {
  return Object.entries(entriesOf(schema) ?? {}).flatMap(([name, entry]) => {
    const key = `${prefix}${name}`
    if (entriesOf(entry) && !prefix.endsWith(`${name}.`)) return optionRows(entry, `${key}.`)
    return [{ key, type: typeText(entry), default: defaultText(entry), text: descriptionOf(entry) }]
  })
}

function defaultText(schema: GenericSchema): string {
  const value = defaultOf(schema)
  if (value === undefined) return 'none: required'
  return value === null ? 'unset' : JSON.stringify(value)
}
