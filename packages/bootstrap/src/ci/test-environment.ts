import type { ReadJob } from './rank-test-jobs.ts'
import type { ReadCommand } from './read-commands.ts'
import { isResolved } from './unresolved.ts'

export interface TestVariable {
  readonly name: string
  readonly value: string
}

/**
 * Variables that are about the machine of the job, the look of its output, its compiler or its secrets: none of them
 * makes a test pass, and some change what a report looks like or how long the tests take.
 */
const unwanted = [
  /^(?:CI|TERM|PATH|HOME|SHELL|USER|PWD|LANG|TMPDIR|IFS|BASH_ENV|ENV|NO_COLOR|CLICOLOR\w*)$/,
  /^(?:GITHUB|RUNNER|ACTIONS|GITLAB|CI|R2E|LD|DYLD|GIT|SSH|PIP|UV|TOX|NOX|COVERAGE|COVERALLS|CODECOV|SCCACHE|CCACHE|CARGO|CTEST|NPM|HOMEBREW|ACT)_/i,
  /(?:^|_)(?:COLOR|COLORS|COLUMNS|TOKEN|KEY|SECRET|PASSWORD|PASS|PASSWD|CREDENTIALS|VERBOSE|DEBUG|LOG|TIMEOUT|JOBS|PARALLEL\w*|FLAGS|OPTS|ADDOPTS|ARGS)$/,
  /DB$|^DB|DATABASE|(?:^|_)(?:HOST|PORT|URL|URI|DSN|ADDR)/,
  /VERSION|MATRIX|IMAGE|^(?:GHA|GH|CONDA|TOXENV|NOXSESSION)|(?:TOX|NOX)_?ENV|_TAG$|^PYTHON$/,
  /FLAGS$|COLOR|COVERAGE|BENCH|FUZZ|QUICKCHECK|PROPTEST/,
  // What makes an interpreter run code before the tests do.
  /^(?:PYTHONHOME|PYTHONSTARTUP|PYTEST_PLUGINS|RUBYOPT|RUBYLIB|PERL5\w+|JAVA_TOOL_OPTIONS|_JAVA_OPTIONS|NODE_PATH)$/,
  /^(?:CC|CXX|RUST_BACKTRACE|PYTHONHASHSEED|PYTHONDONTWRITEBYTECODE|PYTHONUNBUFFERED)$/,
]

const longest = 200

/** Plain variables that the test step sets, for all its commands or for the one that runs the tests. */
export function testEnvironment({ job, steps }: ReadJob, call: ReadCommand, test: ReadCommand): TestVariable[] {
  const step = job.steps[steps.findIndex((commands) => commands.includes(call))]
  const own = Object.fromEntries(step?.ownEnv.map((name) => [name, step.env[name] ?? '']) ?? [])
  return Object.entries({ ...own, ...call.env, ...test.env })
    .filter(([name, value]) => isWanted(name, value))
    .map(([name, value]) => ({ name, value }))
    .sort((a, b) => (a.name < b.name ? -1 : 1))
}

/** An address is one of a service, which is not there; how much memory a machine has is not that of the sandbox. */
function isWanted(name: string, value: string): boolean {
  return (
    /^[A-Za-z_]\w*$/.test(name) &&
    !unwanted.some((pattern) => pattern.test(name)) &&
    isResolved(value) &&
    value.length <= longest &&
    /^[\x20-\x7e]+$/.test(value) &&
    !/:\/\/|localhost|127\.0\.0\.1|\$|--(?:require|import|loader|experimental-loader)\b|^-r\b|^--max[-_]old[-_]space[-_]size=\d+$/.test(
      value,
    )
  )
}
