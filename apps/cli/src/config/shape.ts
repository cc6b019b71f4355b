import type { GenericSchema } from 'valibot'
import type { KeyPath } from './position.ts'

/** The parts of a schema that tell how values look; read without running it. */
interface SchemaNode {
  readonly type: string
  readonly wrapped?: SchemaNode
  readonly entries?: Readonly<Record<string, SchemaNode>>
  readonly item?: SchemaNode
  readonly options?: readonly unknown[]
  readonly default?: unknown
  readonly pipe?: readonly (SchemaNode & { readonly description?: string })[]
}

/** Every step of a schema's pipes, inner pipes opened. */
function stepsOf(node: SchemaNode): readonly (SchemaNode & { readonly description?: string })[] {
  return (node.pipe ?? []).flatMap((step) => [...(step.pipe ? stepsOf(step) : []), step])
}

/** The schema inside optional and nullable wrappers. */
export function bare(schema: GenericSchema): SchemaNode {
  let node = schema as unknown as SchemaNode
  while (node.wrapped) node = node.wrapped
  return node
}

/** The keys of an object schema, or undefined where any key goes. */
export function entriesOf(schema: GenericSchema | undefined): Readonly<Record<string, GenericSchema>> | undefined {
  return schema && (bare(schema).entries as Readonly<Record<string, GenericSchema>> | undefined)
}

export function schemaAt(schema: GenericSchema, path: KeyPath): GenericSchema | undefined {
  let current: GenericSchema | undefined = schema
  for (const key of path) {
    const entries = entriesOf(current)
    current = entries && Object.hasOwn(entries, key) ? entries[key] : undefined
  }
  return current
}

export interface Slot {
  /** `string`, `number`, `boolean`, `array`, `picklist`, … or undefined where the schema says nothing. */
  readonly kind: string | undefined
  readonly nullable: boolean
}

export function slotAt(schema: GenericSchema, path: KeyPath): Slot {
  const found = schemaAt(schema, path)
  if (!found) return { kind: undefined, nullable: true }
  let nullable = false
  for (let node = found as unknown as SchemaNode | undefined; node; node = node.wrapped) {
    nullable ||= node.type === 'nullable' || node.type === 'nullish'
  }
  return { kind: bare(found).type, nullable }
}

export function descriptionOf(schema: GenericSchema): string {
  for (let node: SchemaNode | undefined = schema as unknown as SchemaNode; node; node = node.wrapped) {
    const found = stepsOf(node).find((step) => step.type === 'description')
    if (found?.description) return found.description
  }
  return ''
}

/** The value that stands for an absent key; undefined where the key is required. */
export function defaultOf(schema: GenericSchema): unknown {
  const value = (schema as unknown as SchemaNode).default
  return typeof value === 'function' ? value() : value
}

/** How a type is written for people: `integer`, `"a" or "b"`, `list of string`. */
export function typeText(schema: GenericSchema): string {
  const node = bare(schema)
  if (node.type === 'picklist') return (node.options ?? []).map((option) => JSON.stringify(option)).join(' or ')
  if (node.type === 'literal') return JSON.stringify((node as unknown as { literal: unknown }).literal)
  if (node.type === 'array') return `list of ${typeText(node.item as unknown as GenericSchema)}`
  if (node.type === 'number') return stepsOf(node).some((step) => step.type === 'integer') ? 'integer' : 'number'
  if (node.type === 'union') return (node.options ?? []).map((option) => typeText(option as GenericSchema)).join(' or ')
  return /object|record/.test(node.type) ? 'mapping' : node.type
}
