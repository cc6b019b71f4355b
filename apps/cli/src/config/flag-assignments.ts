import { userError } from '@r2e/spec'
import type { Flag, FlagValues } from '../commands/command.ts'
import { CONFIG_FLAGS } from '../commands/generate-flags.ts'
import type { Assignment } from './assignment.ts'

/** The configuration values among the typed flags. @throws R2eError `bad_option` */
export function flagAssignments(flags: FlagValues, known: readonly Flag[] = CONFIG_FLAGS): readonly Assignment[] {
  return known.flatMap((flag) => {
    const name = longName(flag)
    const value = flags.get(name)
    return value === undefined ? [] : assignmentsOf(flag, name, value)
  })
}

export function longName(flag: Flag): string {
  return /--([a-z-]+)/.exec(flag.flags)![1]!
}

function assignmentsOf(flag: Flag, name: string, value: string | true | readonly string[]): readonly Assignment[] {
  const origin = { kind: 'flag', name: `--${name}` } as const
  if (flag.section !== undefined) {
    const section = flag.section.split('.')
    return (value as readonly string[]).map((pair) => {
      const { key, text } = splitPair(pair, name)
      return {
        path: [...section, ...key.split('.')],
        text,
        origin: { kind: 'flag', name: `--${name} ${key}` } as const,
      }
    })
  }
  if (flag.sets === undefined) return []
  const values = [value].flat() as readonly string[]
  if (flag.sets === 'llm' || flag.sets === 'llm.fallback') return modelAssignments(values, flag.sets.split('.'), origin)
  const [, key] = /^llm\.(\w+)$/.exec(flag.sets) ?? []
  if (key !== undefined) return values.map((text, index) => ({ path: [...chainPath(index), key], text, origin }))
  return [{ path: flag.sets.split('.'), text: value === true ? 'true' : value, origin }]
}

function splitPair(pair: string, name: string): { key: string; text: string } {
  const at = pair.indexOf('=')
  if (at > 0) return { key: pair.slice(0, at).trim(), text: pair.slice(at + 1) }
  throw userError('bad_option', `--${name} ${pair}: there is no key=value`, { fix: `--${name} ${pair || 'key'}=VALUE` })
}

const MOST_FALLBACKS = 3

/** Section of the model that is this far from the first in the chain of fallbacks. */
function chainPath(index: number): string[] {
  return ['llm', ...Array<string>(index).fill('fallback')]
}

function modelAssignments(
  models: readonly string[],
  section: readonly string[],
  origin: Extract<Assignment['origin'], { kind: 'flag' }>,
): readonly Assignment[] {
  if (models.length > MOST_FALLBACKS)
    throw userError('too_many_fallbacks', `${origin.name} is given ${models.length} times`, {
      fix: `give at most ${MOST_FALLBACKS}`,
    })
  return models.flatMap((text, index) => {
    const at = text.indexOf('/')
    if (at <= 0 || at === text.length - 1)
      throw userError('bad_model', `${origin.name} ${text}: there is no provider/model`, {
        fix: `${origin.name} PROVIDER/${text || 'MODEL'}`,
      })
    const path = chainPath(section.length - 1 + index)
    return [
      { path: [...path, 'provider'], text: text.slice(0, at), origin },
      { path: [...path, 'model'], text: text.slice(at + 1), origin },
    ]
  })
}
