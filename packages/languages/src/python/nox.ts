import type { Manifests } from '../manifests.ts'
import { assignments, parseLiteral, stringItems } from './literal.ts'
import { type LogicalLine, logicalLines } from './logical-lines.ts'
import { ownExtras, type Requirement } from './requirement.ts'
import { readRequirementLines } from './requirements-file.ts'

/**
 * What the sessions of a noxfile install that are named after tests, or all sessions where none is. It is never run: only
 * literals count. What a session installs under a condition is left out, as lines for one factor of tox are.
 */
export async function noxRequirements(manifests: Manifests, path: string): Promise<Requirement[]> {
  const statements = logicalLines((await manifests.read(path)) ?? '')
  const names = assignments(statements.map(({ text }) => text))
  const all = sessions(statements)
  const named = all.filter(({ name }) => /test/i.test(name))
  const calls = (named.length > 0 ? named : all).flatMap(({ body }) => body.flatMap(installArguments))
  const found = calls.map((call) => installed(stringItems(parseLiteral(call, names))))
  const lines = found.flatMap((words) => words.lines)
  return [...(await readRequirementLines(manifests, path, lines)), ...ownExtras(found.flatMap(({ groups }) => groups))]
}

interface Session {
  readonly name: string
  /** The statements of the function itself, without those of inner blocks. */
  readonly body: readonly string[]
}

function sessions(lines: readonly LogicalLine[]): Session[] {
  return lines.flatMap((line, at) => {
    if (!/^@(?:\w+\.)*session\b/.test(line.text)) return []
    const start = lines.findIndex(({ text }, index) => index > at && !text.startsWith('@'))
    const name = /^(?:async )?def (\w+)/.exec(lines[start]?.text ?? '')?.[1]
    if (name === undefined) return []
    const written = /\bname ?= ?["']([^"']*)["']/.exec(line.text)?.[1]
    return [{ name: written ?? name, body: bodyOf(lines.slice(start), line.indent) }]
  })
}

function bodyOf([, ...lines]: readonly LogicalLine[], outside: number): string[] {
  const end = lines.findIndex(({ indent }) => indent <= outside)
  const inside = end < 0 ? lines : lines.slice(0, end)
  return inside.filter(({ indent }) => indent === inside[0]!.indent).map(({ text }) => text)
}

/** From its opening bracket on. */
function installArguments(statement: string): string[] {
  const call = /^[^\W\d]\w*\.install ?(?=\()/u.exec(statement)
  return call ? [statement.slice(call[0].length)] : []
}

const withValue =
  /^(-[cift]|--(constraint|index-url|extra-index-url|find-links|target|prefix|no-binary|only-binary|config-settings|progress-bar|python-version))$/

/** The words of pip as lines of a requirements file, and the dependency groups that they name. */
function installed(words: readonly string[]): {
  readonly lines: readonly string[]
  readonly groups: readonly string[]
} {
  const lines: string[] = []
  const groups: string[] = []
  for (let at = 0; at < words.length; at++) {
    const word = words[at]!
    const [, option, glued] = /^(-[er]|--editable|--requirement|--group)=?(.*)$/s.exec(word) ?? []
    if (withValue.test(word)) at += 1
    else if (option === undefined) lines.push(word)
    else {
      const value = glued || (words[++at] ?? '')
      if (option === '--group') groups.push(value)
      else lines.push(option === '-r' || option === '--requirement' ? `-r ${value}` : value)
    }
  }
  return { lines, groups }
}
