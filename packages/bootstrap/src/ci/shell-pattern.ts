import type { Word } from 'unbash'
import { expandWord, type Variables } from './shell-words.ts'
import { isResolved } from './unresolved.ts'

/** Whether a text fits a pattern of `case` or `[[ x == pattern ]]`; undefined where it is not known. Of patterns only stars are, one anywhere or one at each end. */
export function matchesPattern(text: string, pattern: Word, variables: Variables): boolean | undefined {
  const globs = pattern.parts?.filter((part) => part.type === 'Glob' || part.type === 'ExtendedGlob') ?? []
  const value = expandWord(pattern, variables).join(' ')
  if (!isResolved(value)) return undefined
  if (globs.length === 0) return text === value
  if (globs.some((glob) => glob.type !== 'Glob' || glob.kind !== 'star')) return undefined
  const [start = '', middle = '', end = '', ...rest] = value.split('*')
  if (globs.length === 1)
    return text.length >= start.length + middle.length && text.startsWith(start) && text.endsWith(middle)
  return globs.length === 2 && start === '' && end === '' && rest.length === 0 ? text.includes(middle) : undefined
}
