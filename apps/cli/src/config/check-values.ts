import { type BaseIssue, type GenericSchema, safeParse } from 'valibot'
import type { Flag } from '../commands/command.ts'
import { CONFIG_FLAGS } from '../commands/generate-flags.ts'
import { nearest } from '../nearest.ts'
import { longName } from './flag-assignments.ts'
import { type Merged, pathText, type Values } from './layer.ts'
import { originText } from './origin.ts'
import type { KeyPath } from './position.ts'
import type { Problem } from './problem.ts'
import { bare, schemaAt } from './shape.ts'

export type Checked<T> =
  | { readonly ok: true; readonly output: T }
  | { readonly ok: false; readonly problems: readonly Problem[] }

/** Validates merged values; `prefix` is where they stand in the whole configuration. */
export function checkValues<T>(
  schema: GenericSchema<unknown, T>,
  values: Values,
  place: { readonly merged: Merged; readonly prefix: KeyPath; readonly flags?: readonly Flag[] },
): Checked<T> {
  const result = safeParse(schema, values)
  if (result.success) return { ok: true, output: result.output }
  const missing = result.issues.filter((issue) => isMissing(issue))
  const others = result.issues.filter((issue) => !isMissing(issue))
  const problems = others.map((issue) => wrongValue(issue, schema, place))
  if (missing.length > 0)
    problems.unshift(
      missingValues(
        missing.map((issue) => [...place.prefix, ...issuePath(issue)]),
        place.flags,
      ),
    )
  return { ok: false, problems }
}

function issuePath(issue: BaseIssue<unknown>): KeyPath {
  return (issue.path ?? []).map(({ key }) => String(key))
}

function isMissing(issue: BaseIssue<unknown>): boolean {
  return issue.received === 'undefined' && issue.path?.at(-1)?.value === undefined
}

/** Without flags of its own, a command reads a file as well. */
function missingValues(paths: readonly KeyPath[], known?: readonly Flag[]): Problem {
  const names = paths.map(pathText)
  const wanted = new Set(names.map(flagPath))
  const flags = (known ?? CONFIG_FLAGS)
    .filter(({ sets }) => sets && wanted.has(sets))
    .map((flag) => `--${longName(flag)}`)
  return {
    code: 'missing_value',
    where: undefined,
    message: `${enumerate(names)} ${names.length === 1 ? 'is' : 'are'} not set`,
    fix:
      flags.length > 0
        ? `give ${enumerate(flags)}${known ? '' : ', or a file with --config (r2e init writes one)'}`
        : 'set it in the file',
  }
}

/** Provider and model come with one flag, the fallbacks of all depths too. */
function flagPath(name: string): string {
  const [, model, fallback = ''] = /^(llm)((?:\.fallback)*)\.(?:provider|model)$/.exec(name) ?? []
  return model === undefined ? name : fallback === '' ? 'llm' : 'llm.fallback'
}

function enumerate(words: readonly string[]): string {
  return words.length < 2 ? words.join('') : `${words.slice(0, -1).join(', ')} and ${words.at(-1)}`
}

function wrongValue(
  issue: BaseIssue<unknown>,
  schema: GenericSchema,
  place: { readonly merged: Merged; readonly prefix: KeyPath },
): Problem {
  const inner = issuePath(issue)
  const path = [...place.prefix, ...inner]
  const origin = nearestOrigin(place.merged, path)
  const words = choices(schemaAt(schema, inner))
  const guess = words && typeof issue.input === 'string' ? nearest(issue.input, words) : undefined
  return {
    code: issue.kind === 'schema' && !words ? 'wrong_type' : 'wrong_value',
    where: origin,
    message: `${pathText(path)} ${wish(issue, words)}, got ${shown(issue.input)}`,
    ...(guess ? { fix: `did you mean ${guess}?` } : {}),
  }
}

function nearestOrigin(merged: Merged, path: KeyPath): string | undefined {
  for (let length = path.length; length > 0; length--) {
    const origin = merged.origins.get(pathText(path.slice(0, length)))
    if (origin) return originText(origin)
  }
  return undefined
}

function choices(schema: GenericSchema | undefined): readonly string[] | undefined {
  const node = schema && bare(schema)
  const list = node?.type === 'array' ? bare(node.item as unknown as GenericSchema) : node
  return list?.type === 'picklist' ? (list.options as readonly string[]) : undefined
}

function wish(issue: BaseIssue<unknown>, words: readonly string[] | undefined): string {
  if (words && issue.kind === 'schema' && issue.expected !== 'Array') return `must be one of ${words.join(', ')}`
  if (issue.type === 'integer') return 'must be a whole number'
  if (issue.type === 'min_value') return `must be at least ${String(issue.requirement)}`
  if (issue.type === 'max_value') return `must be at most ${String(issue.requirement)}`
  if (issue.type === 'min_length') return 'must not be empty'
  if (issue.type === 'regex')
    return issue.message.startsWith('must ') ? issue.message : `must match ${String(issue.expected)}`
  if (issue.kind !== 'schema') return `is not accepted (${issue.message})`
  if (issue.type === 'literal') return `must be ${issue.expected}`
  if (issue.expected === 'boolean') return 'must be true or false'
  return `must be a ${issue.expected === 'Array' ? 'list' : issue.expected}`
}

function shown(input: unknown): string {
  const text = JSON.stringify(input) ?? String(input)
  return text.length <= 60 ? text : `${text.slice(0, 57).toWellFormed()}…`
}
