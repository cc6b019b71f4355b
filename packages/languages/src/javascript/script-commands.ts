import { splitWords } from '../shell-words.ts'

/** One command that a package script comes down to, without its wrappers. */
export interface ScriptCommand {
  readonly env: Readonly<Record<string, string>>
  readonly words: readonly string[]
}

/** Programs that run another one; options of theirs stand before it. */
const wrappers = new Set([
  'c8',
  'nyc',
  'cross-env',
  'cross-env-shell',
  'env',
  'npx',
  'pnpx',
  'bunx',
  'time',
  'xvfb-run',
  'dotenv',
])
/** Options of wrappers that take the next word. */
const withValue = new Set([
  '-r',
  '--reporter',
  '-x',
  '--exclude',
  '-n',
  '--include',
  '-p',
  '--package',
  '-e',
  '-f',
  '-i',
  '--require',
  '-o',
])
const managers = new Set(['npm', 'pnpm', 'yarn', 'bun'])
/** Commands of all scripts together; a script that calls itself, through others too, adds none. */
const most = 1000

/**
 * The commands of a script in order, scripts that it calls in place of the call: `nyc npm run unit` with
 * `unit: NODE_ENV=test mocha` is `mocha`. Operators count outside quotes alone; what the shell would expand stays as it
 * is written, since runners expand patterns themselves.
 */
export function scriptCommands(scripts: Readonly<Record<string, string>>, name: string): readonly ScriptCommand[] {
  return commandsOf({ scripts, split: new Map(), left: most }, name, [])
}

interface Walk {
  readonly scripts: Readonly<Record<string, string>>
  readonly split: Map<string, readonly ScriptCommand[]>
  left: number
}

function commandsOf(walk: Walk, name: string, callers: readonly string[]): ScriptCommand[] {
  if (!Object.hasOwn(walk.scripts, name) || callers.includes(name)) return []
  const found = commandsOf(walk, `pre${name}`, [...callers, name])
  for (const command of splitOnce(walk, name)) {
    if (walk.left-- <= 0) break
    found.push(...expand(walk, command, [...callers, name]))
  }
  return found
}

function splitOnce({ scripts, split }: Walk, name: string): readonly ScriptCommand[] {
  const known = split.get(name) ?? splitCommands(scripts[name]!).map(unwrap)
  split.set(name, known)
  return known
}

function expand(walk: Walk, command: ScriptCommand, callers: readonly string[]): ScriptCommand[] {
  const called = calledScripts(command.words, walk.scripts)
  if (called === undefined) return command.words.length > 0 ? [command] : []
  const found = called.names.flatMap((name) => commandsOf(walk, name, callers))
  return found.map((inner, at) => ({
    env: { ...command.env, ...inner.env },
    words: at === found.length - 1 ? [...inner.words, ...called.rest] : inner.words,
  }))
}

/** The scripts that a command runs by name, and what it hands to the last of them. */
function calledScripts(
  [program, ...rest]: readonly string[],
  scripts: Readonly<Record<string, string>>,
): { names: readonly string[]; rest: readonly string[] } | undefined {
  const known = (word: string | undefined) => word !== undefined && Object.hasOwn(scripts, word)
  if (program === 'run-s' || program === 'run-p' || program === 'npm-run-all')
    return { names: rest.filter(known), rest: [] }
  if (program === 'node' && rest[0] === '--run' && known(rest[1])) return { names: [rest[1]!], rest: rest.slice(2) }
  if (program === undefined || !managers.has(program)) return undefined
  const words = rest.filter((word) => word !== '-s' && word !== '--silent')
  const at = words[0] === 'run' || words[0] === 'run-script' ? 1 : 0
  const name = at === 0 && (words[0] === 't' || words[0] === 'tst') ? 'test' : words[at]
  if (!known(name) || (program === 'bun' && at === 0)) return undefined
  return { names: [name!], rest: words.slice(at + 1).filter((word) => word !== '--') }
}

/** Assignments and wrappers in front of a command are taken off. */
function unwrap(words: readonly string[]): ScriptCommand {
  const env: Record<string, string> = {}
  let rest = [...words]
  for (;;) {
    const assignment = /^([A-Za-z_]\w*)=(.*)$/s.exec(rest[0] ?? '')
    if (assignment) {
      env[assignment[1]!] = assignment[2]!
      rest.shift()
    } else if (wrappers.has(rest[0] ?? '')) rest = afterOptions(rest.slice(1))
    else if (managers.has(rest[0] ?? '') && (rest[1] === 'exec' || rest[1] === 'x')) rest = afterOptions(rest.slice(2))
    else break
  }
  return { env, words: rest }
}

function afterOptions(words: readonly string[]): string[] {
  let at = 0
  while (words[at]?.startsWith('-')) at += withValue.has(words[at]!) ? 2 : 1
  return words.slice(at)
}

/** Splits at `&&`, `||`, `;`, `|`, `&` and newlines outside quotes. */
function splitCommands(script: string): string[][] {
  const pieces: string[] = []
  let piece = ''
  let quote = ''
  for (let at = 0; at < script.length; at++) {
    const char = script[at]!
    if (char === '\\' && quote !== "'") {
      piece += char + (script[++at] ?? '')
      continue
    }
    if (quote !== '') quote = char === quote ? '' : quote
    else if (char === '"' || char === "'") quote = char
    else if (';|&\n'.includes(char) && script[at - 1] !== '>') {
      pieces.push(piece)
      piece = ''
      continue
    }
    piece += char
  }
  return [...pieces, piece].flatMap((text) => {
    const words = splitWords(text)
    return words && words.length > 0 ? [withoutRedirections(words)] : []
  })
}

function withoutRedirections(words: readonly string[]): string[] {
  const at = words.findIndex((word) => /^\d?>/.test(word))
  return at < 0 ? [...words] : words.slice(0, at)
}
