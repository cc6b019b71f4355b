import { joinPath } from '../path.ts'
import { isPattern, pathPattern } from '../path-pattern.ts'
import { splitWords } from '../shell-words.ts'
import { optionEnd } from './arguments.ts'

/** One command that a package script comes down to, without its wrappers. */
export interface ScriptCommand {
  readonly env: Readonly<Record<string, string>>
  /** Where it runs, relative to the package. */
  readonly folder: string
  readonly words: readonly string[]
}

const coverage =
  '-r --reporter -n --include -x --exclude -e --extension --report-dir --temp-directory --branches --functions --lines --statements'
const set = (words: string) => new Set(words.split(' '))
/** Programs that run another one, and those of their options before it that take the next word. */
const wrappers = new Map<string, ReadonlySet<string>>([
  ['c8', set(`${coverage} -c --config -o --reports-dir --src --resolve --wrapper-length`)],
  [
    'nyc',
    set(
      `${coverage} -i --require -t --temp-dir -o --cwd --nycrc-path --cache-dir --ignore-class-methods --parser-plugins --coverage-variable`,
    ),
  ],
  ['cross-env', new Set()],
  ['cross-env-shell', new Set()],
  ['env', set('-u --unset -S --split-string')],
  ['env-cmd', set('-e --environments -f --file -r --rc-file')],
  ['dotenv', set('-e -v -p -c')],
  ['npx', set('-p --package')],
  ['pnpx', set('-p --package')],
  ['bunx', set('-p --package')],
  ['time', set('-f --format -o --output')],
  ['xvfb-run', set('-e --error-file -f --auth-file -n --server-num -p --xauth-protocol -s --server-args -w --wait')],
])
const executors = set('-p --package')
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
  let folder: string | undefined = ''
  for (const command of splitOnce(walk, name)) {
    if (walk.left-- <= 0) break
    if (command.words[0] === 'cd') folder = enter(folder, command.words.slice(1))
    else if (folder !== undefined) found.push(...expand(walk, { ...command, folder }, [...callers, name]))
  }
  return found
}

function splitOnce({ scripts, split }: Walk, name: string): readonly ScriptCommand[] {
  const known = split.get(name) ?? splitCommands(scripts[name]!).map(unwrap)
  split.set(name, known)
  return known
}

/** Undefined where only a shell knows the folder, or where it is none of the package. */
function enter(folder: string | undefined, words: readonly string[]): string | undefined {
  const plain = words.length === 1 && /^[\w.@][\w.@/-]*$/.test(words[0]!)
  return folder !== undefined && plain ? joinPath(folder, words[0]!) : undefined
}

/** Scripts that are called in another folder are those of another package, and left out. */
function expand(walk: Walk, command: ScriptCommand, callers: readonly string[]): ScriptCommand[] {
  const calls = calledScripts(command.words, walk)
  if (calls === undefined) {
    const { env, words } = unwrap(withoutManager(command.words))
    return words.length > 0 ? [{ ...command, env: { ...command.env, ...env }, words }] : []
  }
  if (command.folder !== '') return []
  return calls.flatMap(({ name, rest }) => {
    const found = commandsOf(walk, name, callers)
    return found.map((inner, at) => ({
      ...inner,
      env: { ...command.env, ...inner.env },
      words: at === found.length - 1 ? [...inner.words, ...rest] : inner.words,
    }))
  })
}

interface ScriptCall {
  readonly name: string
  /** What is handed to the last command of the script. */
  readonly rest: readonly string[]
}

/** The scripts that a command runs by name. */
function calledScripts([program, ...rest]: readonly string[], walk: Walk): readonly ScriptCall[] | undefined {
  const known = (word: string | undefined) => word !== undefined && Object.hasOwn(walk.scripts, word)
  if (program === 'run-s' || program === 'run-p' || program === 'npm-run-all') return matchingScripts(rest, walk)
  if (program === 'node' && rest[0] === '--run' && known(rest[1])) return [{ name: rest[1]!, rest: rest.slice(2) }]
  if (program === undefined || !managers.has(program)) return undefined
  const words = rest.filter((word) => word !== '-s' && word !== '--silent')
  const at = words[0] === 'run' || words[0] === 'run-script' ? 1 : 0
  const name = at === 0 && (words[0] === 't' || words[0] === 'tst') ? 'test' : words[at]
  if (!known(name) || (program === 'bun' && at === 0)) return undefined
  return [{ name: name!, rest: withoutEnd(words.slice(at + 1)) }]
}

/** As npm-run-all names them: `unit`, `test:*`, `"unit -- --exit"`. */
function matchingScripts(words: readonly string[], walk: Walk): ScriptCall[] {
  const end = words.indexOf('--')
  const written = (end < 0 ? words : words.slice(0, end)).filter((word) => !word.startsWith('-'))
  return written.flatMap((text) => {
    const [name = '', ...rest] = splitWords(text) ?? []
    return scriptsLike(name, walk).map((found) => ({ name: found, rest: withoutEnd(rest) }))
  })
}

/** A colon parts names as a slash parts paths. A pattern costs as much as fifty commands. */
function scriptsLike(written: string, walk: Walk): readonly string[] {
  if (!isPattern(written)) return Object.hasOwn(walk.scripts, written) ? [written] : []
  walk.left -= 50
  if (walk.left <= 0) return []
  const asPath = (name: string) => name.replaceAll(':', '/')
  const matches = pathPattern(asPath(written))
  return Object.keys(walk.scripts)
    .slice(0, most)
    .filter((name) => matches(asPath(name)))
}

function withoutEnd(words: readonly string[]): string[] {
  return words.filter((word) => word !== '--')
}

/** `yarn mocha`, `pnpm run mocha`: where no script has the name, an installed program has. */
function withoutManager([program, ...rest]: readonly string[]): readonly string[] {
  if (program === undefined || (program !== 'yarn' && program !== 'pnpm')) return program ? [program, ...rest] : []
  return rest[0] === 'run' ? rest.slice(1) : rest
}

/** Assignments and wrappers in front of a command are taken off. */
function unwrap(words: readonly string[]): ScriptCommand {
  const env: Record<string, string> = {}
  let rest = [...words]
  for (;;) {
    const program = (rest[0] ?? '').replace(/^(?:\.\/)?node_modules\/\.bin\//, '')
    const assignment = /^([A-Za-z_]\w*)=(.*)$/s.exec(program)
    const options = wrappers.get(program)
    if (assignment) {
      env[assignment[1]!] = assignment[2]!
      rest.shift()
    } else if (options) rest = afterOptions(rest.slice(1), options)
    else if (managers.has(program) && (rest[1] === 'exec' || rest[1] === 'x'))
      rest = afterOptions(rest.slice(2), executors)
    else return { env, folder: '', words: rest.length > 0 ? [program, ...rest.slice(1)] : [] }
  }
}

/** A file of variables is given to older versions of env-cmd without an option. */
function afterOptions(words: readonly string[], values: ReadonlySet<string>): string[] {
  let at = 0
  while (words[at]?.startsWith('-')) at = optionEnd(words, at, { values })
  return words.slice(/^[^\s=]*\.env(?:\.[\w.-]+)?$/.test(words[at] ?? '') ? at + 1 : at)
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
