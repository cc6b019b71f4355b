import { baseName, joinPath } from '../path.ts'
import { type ArgumentDialect, dialects, jestWrappers, splitArguments } from './arguments.ts'
import { type PackageJson, record, textList } from './package-json.ts'
import type { ScriptCommand } from './script-commands.ts'
import { mayMatch, testPaths } from './test-paths.ts'
import { binary, programsAbove, type Workload } from './workload.ts'

export type RunnerName = 'jest' | 'vitest' | 'mocha' | 'node-test' | 'tap' | 'bun'

export const tapPrograms: readonly string[] = ['ava', 'tape', 'tap', 'qunit']

export interface SuiteInput {
  readonly manifest: PackageJson
  readonly folder: string
  /** Whether a test file of the package speaks of a module: `node:test`. */
  readonly imports: (module: string) => boolean
  /** Files of the package, relative to its folder. */
  readonly files: () => readonly string[]
}

/** What one command of a script runs with one of the known runners. */
interface TestCommand {
  readonly runner: RunnerName
  readonly workload: Workload
  readonly env: Readonly<Record<string, string>>
}

export function testCommand(command: ScriptCommand, input: SuiteInput): TestCommand | undefined {
  const place = placeOf(command.folder, input)
  const found = place && commandAt(place, command)
  return found && { ...found, workload: programsAbove(found.workload, command.folder) }
}

/** A folder of the package as the place of its tests; undefined where the tree has none of that name. */
function placeOf(folder: string, input: SuiteInput): SuiteInput | undefined {
  if (folder === '') return input
  const files = input.files().flatMap((file) => (file.startsWith(`${folder}/`) ? [file.slice(folder.length + 1)] : []))
  return files.length === 0 ? undefined : { ...input, folder: joinPath(input.folder, folder)!, files: () => files }
}

function commandAt(input: SuiteInput, { words, env }: ScriptCommand): TestCommand | undefined {
  const [program = '', ...rest] = words
  const make: Make = (runner, start, dialect, args) => {
    const { options, paths: written } = splitArguments(args, dialect)
    const paths = pathsOf(runner, written, dialect, input)
    const workload = { folder: input.folder, words: [...start, ...options], paths }
    return { runner, workload: runner === 'tap' ? tapWorkload(workload, input) : workload, env: plainEnv(env) }
  }
  if (program === 'node' || program === 'tsx') return nodeCommand({ words }, input, make)
  if (program === 'jest' || program === 'vitest') return make(program, [binary(program)], dialects[program], rest)
  if (jestWrappers.includes(program)) return wrappedJest(program, rest, make)
  if (program === 'mocha' || program === '_mocha') return make('mocha', [binary('mocha')], dialects.mocha, rest)
  if (program === 'ts-mocha')
    return make('mocha', [binary('mocha'), '--require', 'ts-mocha/src/index.js'], dialects.mocha, rest)
  if (program === 'bun' && rest[0] === 'test') return make('bun', ['bun', 'test'], dialects.bun, rest)
  if (tapPrograms.includes(program)) {
    const dialect = program === 'ava' || program === 'qunit' ? dialects[program] : dialects.tap
    return make('tap', [binary(program)], dialect, rest)
  }
  return undefined
}

function pathsOf(
  runner: RunnerName,
  written: readonly string[],
  { filters }: ArgumentDialect,
  { folder, files }: SuiteInput,
): readonly string[] {
  if (runner === 'node-test' || runner === 'tap') return testPaths(written, files())
  if (!filters || written.length === 0) return written
  const all = files()
  return written.filter((filter) => mayMatch(filter, folder, all))
}

/** `react-scripts test`, options of Node before the word; its own configuration comes last. */
function wrappedJest(program: string, words: readonly string[], make: Make): TestCommand | undefined {
  const at = words.indexOf('test')
  if (at < 0 || (at > 0 && !words[0]!.startsWith('-'))) return undefined
  const node = words.slice(0, at).filter((word) => !word.startsWith('--inspect'))
  return make('jest', [binary(program), ...node, 'test', '--watchAll=false'], dialects.jest, words.slice(at + 1))
}

type Make = (
  runner: RunnerName,
  start: readonly string[],
  dialect: ArgumentDialect,
  args: readonly string[],
) => TestCommand

/** `node [options] --test`, `node [options] node_modules/…/jest.js`, or a script that prints TAP; tsx is node with a loader. */
function nodeCommand({ words }: Pick<ScriptCommand, 'words'>, input: SuiteInput, make: Make): TestCommand | undefined {
  const [program, ...rest] = words
  const loader = program === 'tsx' ? ['--import', 'tsx'] : []
  if (rest.includes('--test')) return make('node-test', ['node', ...loader, '--test'], dialects.node, rest)
  const at = rest.findIndex((word) => !word.startsWith('-') && /(?:^|\/)(?:jest|vitest|_?mocha)(?:\.m?js)?$/.test(word))
  if (at >= 0) {
    const name = /(jest|vitest|mocha)(?:\.m?js)?$/.exec(rest[at]!)![1] as 'jest' | 'vitest' | 'mocha'
    const command = make(name, [binary(name)], dialects[name], rest.slice(at + 1))
    return { ...command, env: { ...command.env, ...nodeOptions(rest.slice(0, at), command.env) } }
  }
  const file = rest.find((word) => /(?:^|\/)tests?(?:[./].*)?$/.test(word))
  if (file === undefined || !['tape', 'tap'].some((name) => input.manifest.dependencies.has(name))) return undefined
  return make('tap', ['node', ...loader], dialects.node, rest)
}

const passedOn =
  /^(?:--experimental.*|--import|--require|-r|--loader|--conditions|-C|--enable-source-maps|--no-warnings|--no-deprecation|--max-old-space-size.*|--no-experimental.*)(?:=.*)?$/

function nodeOptions(
  words: readonly string[],
  env: Readonly<Record<string, string>>,
): Readonly<Record<string, string>> {
  const kept: string[] = []
  for (let at = 0; at < words.length; at++) {
    const taken = dialects.node.values.has(words[at]!) ? [words[at]!, words[++at] ?? ''] : [words[at]!]
    if (passedOn.test(taken[0]!) && taken.every((word) => !/[\s"\\]/.test(word))) kept.push(...taken)
  }
  if (kept.length === 0) return {}
  return { NODE_OPTIONS: [env.NODE_OPTIONS, ...kept].filter(Boolean).join(' ') }
}

/** Values that a shell would still have to expand are left out; of options for Node, only those words. */
function plainEnv(env: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  const words = (env.NODE_OPTIONS ?? '').split(/\s+/)
  const options = words.filter(
    (word, at) => !expanded.test(word) && !(dialects.node.values.has(word) && expanded.test(words[at + 1] ?? '')),
  )
  const all = { ...env, ...(env.NODE_OPTIONS !== undefined && { NODE_OPTIONS: options.join(' ') }) }
  return Object.fromEntries(
    Object.entries(all).filter(
      ([name, value]) =>
        !expanded.test(value) &&
        !/^(?:CI|FORCE_COLOR|NO_COLOR|PATH)$/.test(name) &&
        (name !== 'NODE_OPTIONS' || value !== ''),
    ),
  )
}

const expanded = /[$`\n\r\0]/

/** A program that prints TAP is run once per file, so its files must be known; ava prints it only when asked. */
export function tapWorkload(workload: Workload, { manifest, files }: SuiteInput): Workload {
  const program = baseName(workload.words[0]!)
  const configured =
    program === 'ava' ? textList(record(manifest.fields.ava).files).filter((path) => !path.startsWith('!')) : []
  const named = workload.paths.length > 0 ? workload.paths : testPaths(configured, files())
  const paths = named.length > 0 ? named : defaultFiles
  if (program === 'ava') return { ...workload, words: [...workload.words, '--tap'], paths }
  return tapPrograms.includes(program) && program !== 'qunit'
    ? { ...workload, words: ['node', ...workload.words.slice(1)], paths }
    : { ...workload, paths }
}

const defaultFiles = [
  'test.js',
  '{src,source}/test.js',
  '**/{test,tests,__tests__}/**/*.{js,cjs,mjs}',
  '**/*.{test,spec}.{js,cjs,mjs}',
  '**/test-*.{js,cjs,mjs}',
]
