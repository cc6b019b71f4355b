import { type CommandTable, commandTables, type Matcher, type Rule } from './command-tables.ts'

export type CommandKind = 'install' | 'test' | 'other'

export interface CommandClass {
  readonly kind: CommandKind
  /** The language whose tool it is; absent where any may use it. */
  readonly language?: string | undefined
}

const other: CommandClass = { kind: 'other' }
const tables: ReadonlyMap<string, CommandTable> = new Map(
  commandTables.flatMap((table) => table.programs.map((program) => [program, table] as const)),
)
/** Words that show something about the tests and run none. */
const shown = new Set(['--version', '--help', '-h', '--collect-only', '--list-tests'])
/** A word is a name or a path; a longer one says nothing. */
const longestWord = 300
const mostWords = 500

/**
 * Expects the words without wrappers such as `sudo` and `uv run`. Each word is looked at once and by itself: a hostile line
 * takes no longer than another of its length.
 */
export function classifyCommand(words: readonly string[]): CommandClass {
  const [program = '', ...rest] = words.slice(0, mostWords).map((word) => word.slice(0, longestWord))
  const table = tables.get(programName(program))
  if (table === undefined || rest.some((word) => shown.has(word))) return other
  const line = readLine(rest, new Set(table.valued))
  const rule = table.rules.find((candidate) => fits(candidate, line))
  return rule === undefined || rule.kind === 'other' ? other : { kind: rule.kind, language: table.language }
}

interface Line {
  readonly operands: readonly string[]
  readonly options: readonly string[]
}

/** `--name value` is read as `--name=value` for the options that take one. */
function readLine(words: readonly string[], valued: ReadonlySet<string>): Line {
  const operands: string[] = []
  const options: string[] = []
  for (let at = 0; at < words.length; at++) {
    const word = words[at]!
    if (valued.has(word)) options.push(`${word}=${words[++at] ?? ''}`)
    else if (word.startsWith('-') && word !== '-') options.push(word)
    else operands.push(word)
  }
  return { operands, options }
}

function fits({ option, operands = [], skip, anywhere, isBare }: Rule, line: Line): boolean {
  if (option !== undefined && !line.options.some((word) => option.test(word))) return false
  if (isBare) return line.operands.length === 0
  const [first] = operands
  if (anywhere && first !== undefined) return line.operands.some((word) => isOf(first, word))
  const start = skip === undefined ? 0 : line.operands.findIndex((word) => !skip.has(word))
  return operands.every((matcher, at) => isOf(matcher, line.operands[start + at] ?? ''))
}

function isOf(matcher: Matcher, word: string): boolean {
  return matcher instanceof RegExp ? matcher.test(word) : matcher.has(word)
}

const ofRepository = /\/((?:mvnw|gradlew|rails|phpunit|simple-phpunit|pest|paratest|codecept))$/

/** Programs of the repository that are named by their paths, those with a number, and archives: `./mvnw`, `python3.12`. */
function programName(word: string): string {
  const name = word.replace(/\.phar$/, '')
  return ofRepository.exec(name)?.[1] ?? name.replace(/^(python|pip)[\d.]+$/, '$1')
}

/** What a script or target is for, by its name alone: `install_test_images` installs. */
export function classifyName(name: string): CommandKind {
  const words = name
    .slice(0, longestWord)
    .toLowerCase()
    .split(/[^a-z\d]+|(?<=[a-z])(?=\d)/)
  if (words.some((word) => otherNames.has(word))) return 'other'
  const kinds = words.map((word) => (installNames.has(word) ? 'install' : isTestName(word) ? 'test' : undefined))
  return kinds.find((kind) => kind !== undefined) ?? (words.includes('ci') ? 'test' : 'other')
}

const otherNames = new Set(
  'lint doc docs format release publish deploy clean coverage fuzz bench benchs benchmark benchmarks'.split(' '),
)
const installNames = new Set(
  'install setup deps dependencies bootstrap prepare init requirements download fetch'.split(' '),
)
const testNames = new Set(['check', 'spec', 'specs', 'phpunit', 'pytest'])

function isTestName(word: string): boolean {
  return testNames.has(word) || word.endsWith('test') || word.endsWith('tests')
}
