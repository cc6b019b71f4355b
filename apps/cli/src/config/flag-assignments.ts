import { userError } from '@r2e/spec'
import type { Flag, FlagValues } from '../commands/command.ts'
import { CONFIG_FLAGS } from '../commands/generate-flags.ts'
import type { Assignment } from './assignment.ts'

/** The configuration values among the typed flags. @throws R2eError `bad_option` */
export function flagAssignments(flags: FlagValues): readonly Assignment[] {
  return CONFIG_FLAGS.flatMap((flag) => {
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
  if (flag.sets === 'llm') return modelAssignments(value as string, origin)
  if (flag.sets === undefined) return []
  return [{ path: flag.sets.split('.'), text: value === true ? 'true' : value, origin }]
}

function splitPair(pair: string, name: string): { key: string; text: string } {
  const at = pair.indexOf('=')
  if (at > 0) return { key: pair.slice(0, at).trim(), text: pair.slice(at + 1) }
  throw userError('bad_option', `--${name} ${pair}: there is no key=value`, { fix: `--${name} ${pair || 'key'}=VALUE` })
}

function modelAssignments(text: string, origin: Assignment['origin']): readonly Assignment[] {
  const at = text.indexOf('/')
  if (at <= 0 || at === text.length - 1) {
    throw userError('bad_model', `--llm ${text}: there is no provider/model`, {
      fix: `--llm PROVIDER/${text || 'MODEL'}`,
    })
  }
  return [
    { path: ['llm', 'provider'], text: text.slice(0, at), origin },
    { path: ['llm', 'model'], text: text.slice(at + 1), origin },
  ]
}
