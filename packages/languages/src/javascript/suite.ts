import { baseName } from '../path.ts'
import { type ArgumentDialect, dialects, splitArguments } from './arguments.ts'
import { type PackageJson, record, textList } from './package-json.ts'
import { type ScriptCommand, scriptCommands } from './script-commands.ts'
import { testPaths } from './test-paths.ts'
import { binary, type Workload } from './workload.ts'

/** How the tests of one package are run. */
export interface PackageSuite {
  readonly runner: RunnerName
  /** Builds, then the runner. */
  readonly workloads: readonly Workload[]
  readonly env: Readonly<Record<string, string>>
  /** What the choice rests on. */
  readonly fact: string
}

export type RunnerName = 'jest' | 'vitest' | 'mocha' | 'node-test' | 'tap' | 'bun'

const tapPrograms = ['ava', 'tape', 'tap', 'qunit']
const builders = new Set(
  'tsc rollup tsup esbuild babel webpack unbuild pkgroll microbundle swc ncc tsdown bunchee vite tshy tsc-alias'.split(
    ' ',
  ),
)
/** Names of scripts that may run the tests, the usual first. */
const testScripts = [
  'test',
  'test:unit',
  'unit',
  'tests',
  'test:node',
  'test:run',
  'test:ci',
  'jest',
  'vitest',
  'mocha',
  'tap',
  'ava',
]

interface SuiteInput {
  readonly manifest: PackageJson
  readonly folder: string
  /** Whether a test file of the package speaks of a module: `node:test`. */
  readonly imports: (module: string) => boolean
  /** Files of the package, relative to its folder. */
  readonly files: () => readonly string[]
}

/** By what the test script comes down to; else by the test library that is installed or imported. */
export function packageSuite(input: SuiteInput): PackageSuite | undefined {
  for (const script of testScripts) {
    const suite = suiteOf(scriptCommands(input.manifest.scripts, script), input)
    if (suite) return { ...suite, fact: `test runner (script ${script})` }
  }
  const runner = runnerByLibrary(input)
  if (runner === undefined) return undefined
  const words = runner === 'node-test' ? ['node', '--test'] : runner === 'bun' ? ['bun', 'test'] : [binary(runner)]
  const name = tapPrograms.includes(runner) ? 'tap' : (runner as RunnerName)
  const plain = { folder: input.folder, words, paths: [] }
  const workload = name === 'tap' ? tapWorkload(plain, input) : plain
  return { runner: name, workloads: [workload], env: {}, fact: 'test runner (dependency)' }
}

function runnerByLibrary({ manifest, imports }: SuiteInput): string | undefined {
  const known = ['vitest', 'jest', 'mocha', 'ava', 'tap', 'tape', 'qunit']
  const installed = known.find((name) => manifest.dependencies.has(name))
  if (installed !== undefined) return installed
  if (imports('bun:test')) return 'bun'
  return imports('node:test') ? 'node-test' : undefined
}

function suiteOf(commands: readonly ScriptCommand[], input: SuiteInput): Omit<PackageSuite, 'fact'> | undefined {
  const found = commands.map((command) => testCommand(command, input))
  const first = found.find((item) => item !== undefined)
  if (first === undefined) return undefined
  const workloads: Workload[] = []
  const env: Record<string, string> = {}
  for (const [at, command] of commands.entries()) {
    const test = found[at]
    if (test?.runner === first.runner) {
      workloads.push(test.workload)
      Object.assign(env, test.env)
    } else if (test === undefined && workloads.every(({ words }) => builders.has(baseName(words[0]!)))) {
      const build = buildCommand(command, input.folder)
      if (build) workloads.push(build)
    }
  }
  return { runner: first.runner, workloads, env }
}

/** A compiler or bundler without anything that only a shell understands. */
function buildCommand({ words }: ScriptCommand, folder: string): Workload | undefined {
  const [program = '', ...rest] = words
  if (!builders.has(program) || rest.some((word) => /[*?$`<>(){}]/.test(word) || word === '--watch' || word === '-w'))
    return undefined
  if (program === 'vite' && rest[0] !== 'build') return undefined
  if (rest.includes('--noEmit')) return undefined
  return { folder, words: [binary(program), ...rest], paths: [] }
}

interface TestCommand {
  readonly runner: RunnerName
  readonly workload: Workload
  readonly env: Readonly<Record<string, string>>
}

function testCommand({ words, env }: ScriptCommand, input: SuiteInput): TestCommand | undefined {
  const [program = '', ...rest] = words
  const make = (runner: RunnerName, start: readonly string[], dialect: ArgumentDialect, args: readonly string[]) => {
    const { options, paths: written } = splitArguments(args, dialect)
    const paths = runner === 'node-test' || runner === 'tap' ? testPaths(written, input.files()) : written
    const workload = { folder: input.folder, words: [...start, ...options], paths }
    return { runner, workload: runner === 'tap' ? tapWorkload(workload, input) : workload, env: plainEnv(env) }
  }
  if (program === 'node' || program === 'tsx') return nodeCommand({ words }, input, make)
  if (program === 'jest' || program === 'vitest') return make(program, [binary(program)], dialects[program], rest)
  if (program === 'mocha' || program === '_mocha') return make('mocha', [binary('mocha')], dialects.mocha, rest)
  if (program === 'ts-mocha')
    return make('mocha', [binary('mocha'), '--require', 'ts-mocha/src/index.js'], dialects.mocha, rest)
  if (program === 'bun' && rest[0] === 'test') return make('bun', ['bun', 'test'], dialects.bun, rest)
  if (tapPrograms.includes(program)) return make('tap', [binary(program)], dialects.tap, rest)
  return undefined
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
  return make('tap', ['node', ...loader], dialects.tap, rest)
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
function tapWorkload(workload: Workload, { manifest, files }: SuiteInput): Workload {
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
