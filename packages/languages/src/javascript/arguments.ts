/** How a runner reads its arguments, as far as the project's own are taken over. */
export interface ArgumentDialect {
  /** Options whose value is the next word. */
  readonly values: ReadonlySet<string>
  /** Options left out: they choose a reporter, stop early, measure coverage, watch, retry or write. */
  readonly dropped: RegExp
  /** First words that are no files: `run`. */
  readonly commands?: readonly string[]
}

interface SplitArguments {
  readonly options: readonly string[]
  /** Files, folders or patterns. */
  readonly paths: readonly string[]
}

export function splitArguments(words: readonly string[], dialect: ArgumentDialect): SplitArguments {
  const options: string[] = []
  const paths: string[] = []
  for (let at = dialect.commands?.includes(words[0] ?? '') ? 1 : 0; at < words.length; at++) {
    const word = words[at]!
    if (word === '--') {
      paths.push(...words.slice(at + 1))
      break
    }
    if (!word.startsWith('-') || word === '-') {
      paths.push(word)
      continue
    }
    const taken = dialect.values.has(word) && at + 1 < words.length ? [word, words[++at]!] : [word]
    if (!dialect.dropped.test(word.split('=')[0]!)) options.push(...taken)
  }
  return { options, paths }
}

const set = (words: string) => new Set(words.split(' '))

export const dialects = {
  jest: {
    values: set(
      '-c --config --env --testEnvironment --rootDir --projects --selectProjects --maxWorkers -w --testTimeout -t --testNamePattern --reporters --outputFile --preset --testPathPattern --testPathPatterns --testPathIgnorePatterns --coverageDirectory --coverageReporters --collectCoverageFrom --coverageProvider --roots --testMatch --cacheDirectory --shard',
    ),
    dropped:
      /^(?:--coverage.*|--collectCoverage.*|--no-coverage|--watch.*|-b|--bail|--ci|--json|--outputFile|--verbose|--silent|--reporters|-u|--updateSnapshot|--notify.*|-o|--onlyChanged|--changedSince|--lastCommit|--forceExit|--detectOpenHandles|--passWithNoTests|--colors?|--shard|--cacheDirectory|--findRelatedTests)$/,
  },
  vitest: {
    values: set(
      '-c --config -r --root --dir --environment --pool --project --reporter --outputFile --testTimeout --hookTimeout -t --testNamePattern --exclude --mode --maxWorkers --minWorkers --shard --bail --retry --workspace -w',
    ),
    dropped:
      /^(?:--run|-w|--watch|--coverage.*|--reporter.*|--outputFile.*|--bail|--retry|-u|--update|--ui|--open|--silent|--passWithNoTests|--hideSkippedTests|--typecheck.*|--shard|--changed|--color|--no-color)$/,
    commands: ['run', 'watch', 'dev', 'related'],
  },
  mocha: {
    values: set(
      '-r --require -t --timeout --timeouts -u --ui -s --slow -R --reporter -O --reporter-option --reporter-options -f --fgrep -g --grep --extension --file --ignore --exclude --config --package --retries -j --jobs -C --opts --spec --watch-files -n --node-option --import --loader',
    ),
    dropped:
      /^(?:-R|--reporter|-O|--reporter-options?|-p|--parallel|-j|--jobs|-b|--bail|-w|--watch|--watch-files|--retries|--forbid-only|--forbid-pending|--exit|--growl|-c|--colors?|--no-colors?|--full-trace)$/,
  },
  node: {
    values: set(
      '--import -r --require --loader --experimental-loader --test-name-pattern --test-concurrency --test-timeout --env-file -C --conditions --test-reporter --test-reporter-destination --test-skip-pattern --test-shard',
    ),
    dropped:
      /^(?:--test|--test-reporter.*|--experimental-test-coverage|--test-coverage.*|--watch.*|--test-shard|--inspect.*)$/,
  },
  tap: {
    values: set(
      '-r --require -i --ignore -T --timeout -c --concurrency --config --node-arguments -m --match -R --reporter -j --jobs',
    ),
    dropped:
      /^(?:-t|--tap|-w|--watch|-v|--verbose|--fail-fast|-u|--update-snapshots|-R|--reporter.*|--coverage.*|--no-coverage.*|--disable-coverage|--allow-.*|--cov|--no-cov|--check-coverage|--100|-j|--jobs.*|-b|--bail)$/,
  },
  bun: {
    values: set(
      '-r --preload --timeout -t --test-name-pattern --coverage-reporter --coverage-dir --bail --reporter --reporter-outfile',
    ),
    dropped: /^(?:--coverage.*|--watch|--hot|--bail|--reporter.*|-u|--update-snapshots|--only-failures)$/,
    commands: ['test'],
  },
} as const satisfies Readonly<Record<string, ArgumentDialect>>
