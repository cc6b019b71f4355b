import { baseName, joinPath } from '../path.ts'
import { type ScriptCommand, scriptCommands } from './script-commands.ts'
import { type RunnerName, type SuiteInput, tapPrograms, tapWorkload, testCommand } from './test-command.ts'
import { binary, programsAbove, type Workload } from './workload.ts'

/** How the tests of one package are run. */
export interface PackageSuite {
  readonly runner: RunnerName
  /** Builds, then the runner. */
  readonly workloads: readonly Workload[]
  readonly env: Readonly<Record<string, string>>
  /** What the choice rests on. */
  readonly fact: string
}

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
function buildCommand({ words, folder: below }: ScriptCommand, folder: string): Workload | undefined {
  const [program = '', ...rest] = words
  if (!builders.has(program) || rest.some((word) => /[*?$`<>(){}]/.test(word) || word === '--watch' || word === '-w'))
    return undefined
  if (program === 'vite' && rest[0] !== 'build') return undefined
  if (rest.includes('--noEmit')) return undefined
  return programsAbove({ folder: joinPath(folder, below)!, words: [binary(program), ...rest], paths: [] }, below)
}
