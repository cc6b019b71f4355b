import type { JsonObject, ModelReply, ModelTool, ToolCall } from '@r2e/spec'

/** What a turn asks for; `malformed` says what was wrong with it. */
export type Action =
  | { readonly kind: 'run'; readonly command: string }
  | { readonly kind: 'read_file' | 'list_directory'; readonly path: string }
  | { readonly kind: 'write_recipe'; readonly recipe: WrittenRecipe }
  | { readonly kind: 'give_up'; readonly reason: string }
  | { readonly kind: 'malformed'; readonly problem: string }

/** A recipe in the model's words. */
export interface WrittenRecipe {
  readonly rebuild: readonly string[]
  readonly project: readonly string[]
  readonly test: readonly string[]
  readonly summary: string
  readonly system: readonly string[]
  readonly baseImage: string | undefined
  readonly env: Readonly<Record<string, string>>
}

const text = (description: string): JsonObject => ({ type: 'string', description })
const texts = (description: string): JsonObject => ({ type: 'array', items: { type: 'string' }, description })

function tool(name: string, description: string, properties: JsonObject, required: readonly string[]): ModelTool {
  return { name, description, parameters: { type: 'object', properties, required, additionalProperties: false } }
}

export const TOOLS: readonly ModelTool[] = [
  tool('run', 'Runs a shell command in /app, at most 300 s.', { command: text('one bash command') }, ['command']),
  tool('read_file', 'The first 50 kB of a file.', { path: text('absolute, or relative to /app') }, ['path']),
  tool('list_directory', 'Up to 200 entries.', { path: text('absolute, or relative to /app') }, ['path']),
  tool(
    'write_recipe',
    'Hands in the recipe. It is carried out in a fresh sandbox; what fails is answered.',
    {
      rebuild_cmds: texts(
        'install commands, in order: with network, before the source tree is there; manifests lie in /r2e/',
      ),
      project_cmds: texts('commands that need the source tree, in order: in /app, without network'),
      test_cmds: texts('first: the command that runs the whole test suite from /app'),
      summary: text('one line: what was missing'),
      system: texts('Debian packages'),
      base_image: text('only where another base image is needed'),
      env: { type: 'object', additionalProperties: { type: 'string' }, description: 'environment variables' },
    },
    ['rebuild_cmds', 'test_cmds', 'summary'],
  ),
  tool('give_up', 'Ends the work where no recipe is possible.', { reason: text('one line') }, ['reason']),
]

/** The first call of a reply. */
export function readAction({ toolCalls: [call], text, end }: ModelReply): Action {
  if (call) return readCall(call, end === 'length')
  const said = text.trim() === '' ? 'the reply was empty' : 'the reply was text without a call'
  return malformed(`${said}${end === 'length' ? ', and was cut off: be shorter' : ''}`)
}

function readCall(call: ToolCall, isCut: boolean): Action {
  const known = TOOLS.find(({ name }) => name === call.name)
  if (!known) return malformed(`there is no tool ${JSON.stringify(call.name.slice(0, 60))}`)
  const given = parseObject(call.arguments)
  if (!given)
    return malformed(
      `the arguments of ${call.name} are no JSON object${isCut ? ': the reply was cut off, be shorter' : ''}`,
    )
  try {
    return readArguments(call.name, given)
  } catch (error) {
    if (error instanceof ArgumentProblem) return malformed(`${call.name}: ${error.message}`)
    throw error
  }
}

function readArguments(name: string, given: Readonly<Record<string, unknown>>): Action {
  switch (name) {
    case 'run':
      return { kind: 'run', command: textOf(given, 'command') }
    case 'read_file':
    case 'list_directory':
      return { kind: name, path: textOf(given, 'path') }
    case 'give_up':
      return { kind: 'give_up', reason: textOf(given, 'reason') }
    default:
      return {
        kind: 'write_recipe',
        recipe: {
          rebuild: textsOf(given, 'rebuild_cmds', true),
          project: textsOf(given, 'project_cmds'),
          test: textsOf(given, 'test_cmds', true),
          summary: textOf(given, 'summary'),
          system: textsOf(given, 'system'),
          baseImage:
            given.base_image === undefined || given.base_image === '' ? undefined : textOf(given, 'base_image'),
          env: mapOf(given, 'env'),
        },
      }
  }
}

class ArgumentProblem extends Error {}

function textOf(given: Readonly<Record<string, unknown>>, name: string): string {
  const value = given[name]
  if (typeof value !== 'string' || value.trim() === '') throw new ArgumentProblem(`"${name}" must be a text`)
  if (value.includes('\0')) throw new ArgumentProblem(`"${name}" holds a NUL`)
  return value
}

function textsOf(given: Readonly<Record<string, unknown>>, name: string, isRequired = false): readonly string[] {
  const value = given[name] ?? (isRequired ? undefined : [])
  if (!Array.isArray(value) || !value.every((item) => typeof item === 'string' && item.trim() !== ''))
    throw new ArgumentProblem(`"${name}" must be a list of texts`)
  return value.map((item: string) => item.trim())
}

function mapOf(given: Readonly<Record<string, unknown>>, name: string): Readonly<Record<string, string>> {
  const value = given[name] ?? {}
  if (
    typeof value !== 'object' ||
    Array.isArray(value) ||
    !Object.values(value).every((item) => typeof item === 'string')
  )
    throw new ArgumentProblem(`"${name}" must map names to texts`)
  return value as Record<string, string>
}

function parseObject(json: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(json)
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : undefined
  } catch {
    return undefined
  }
}

const malformed = (problem: string): Action => ({ kind: 'malformed', problem })
