/** How a program reads its arguments, as far as the project's own are taken over. Names of options are in kebab-case. */
export interface ArgumentDialect {
  /** Options whose value is the next word. */
  readonly values: ReadonlySet<string>
  /** Options whose values are all words up to the next option. */
  readonly lists?: ReadonlySet<string>
  /** Those of them whose values are files or patterns, as words without an option are. */
  readonly files?: ReadonlySet<string>
  /** Options left out: they choose a reporter, stop early, measure coverage, watch, retry or write. */
  readonly dropped: RegExp
  /** First words that are no files: `run`. */
  readonly commands?: readonly string[]
  /** Whether words without an option narrow down the files that are found, and name none themselves. */
  readonly filters?: boolean
}

interface SplitArguments {
  readonly options: readonly string[]
  /** Files, folders or patterns. */
  readonly paths: readonly string[]
}

export function splitArguments(words: readonly string[], dialect: ArgumentDialect): SplitArguments {
  const options: string[] = []
  const paths: string[] = []
  let at = dialect.commands?.includes(words[0] ?? '') ? 1 : 0
  while (at < words.length) {
    const word = words[at]!
    if (word === '--') {
      paths.push(...words.slice(at + 1))
      break
    }
    if (!word.startsWith('-') || word === '-') {
      paths.push(word)
      at++
      continue
    }
    const end = optionEnd(words, at, dialect)
    const taken = words.slice(at, end)
    if (dialect.files?.has(nameOf(word))) paths.push(...valuesOf(taken))
    else if (!dialect.dropped.test(nameOf(word).replace(/^--no-/, '--'))) options.push(...taken)
    at = end
  }
  return { options, paths }
}

/**
 * Where an option ends: behind what it takes of the words that follow. A number or a truth value is taken by every option:
 * no file is named so.
 */
export function optionEnd(
  words: readonly string[],
  at: number,
  { values, lists }: Pick<ArgumentDialect, 'values' | 'lists'>,
): number {
  const word = words[at]!
  const next = at + 1
  const isValue = (place: number) => place < words.length && !/^-\D/.test(words[place]!)
  if (word === '--' || word.includes('=') || !isValue(next)) return next
  if (lists?.has(nameOf(word))) {
    const end = words.findIndex((_, place) => place > at && !isValue(place))
    return end < 0 ? words.length : end
  }
  return values.has(nameOf(word)) || /^(?:true|false|-?\d+(?:\.\d+)?%?)$/.test(words[next]!) ? next + 1 : next
}

/** `--testPathPattern=a` → `--test-path-pattern`: parsers take both spellings. */
function nameOf(word: string): string {
  const name = word.split('=')[0]!
  return name.startsWith('--') ? name.replace(/(?<=[a-z\d])[A-Z]+/g, (letters) => `-${letters}`).toLowerCase() : name
}

function valuesOf([word = '', ...rest]: readonly string[]): readonly string[] {
  return word.includes('=') ? [word.slice(word.indexOf('=') + 1)] : rest
}

const set = (words: string) => new Set(words.split(' '))

/** Programs that hand what follows the word `test` on to jest, with a configuration of their own. */
export const jestWrappers: readonly string[] = ['react-scripts', 'craco', 'react-app-rewired']

export const dialects = {
  // Those of the programs around it too.
  jest: {
    values: set(
      '-c --config --env --test-environment --test-environment-options --root-dir -w --max-workers --max-concurrency --test-timeout --open-handles-timeout --worker-graceful-exit-timeout -t --test-name-pattern --output-file --preset --coverage-directory --coverage-provider --coverage-threshold --collect-coverage-from --cache-directory --changed-since --filter --global-setup --global-teardown --globals --haste --module-name-mapper --notify-mode --prettier-path --resolver --runner --seed --shard --setup-test-framework-script-file --test-failure-exit-code --test-results-processor --test-runner --test-sequencer --test-url --timers --transform --config-overrides --scripts-version',
    ),
    lists: set(
      '--projects --select-projects --ignore-projects --reporters --roots --setup-files --setup-files-after-env --snapshot-serializers --test-match --test-regex --test-path-ignore-patterns --test-path-pattern --test-path-patterns --transform-ignore-patterns --unmocked-module-path-patterns --watch-path-ignore-patterns --coverage-path-ignore-patterns --coverage-reporters --collect-coverage-only-from --module-directories --module-file-extensions --module-path-ignore-patterns --module-paths',
    ),
    files: set('--test-path-pattern --test-path-patterns'),
    dropped:
      /^(?:-[bfou]|--(?:coverage.*|collect-.*|watch.*|bail|ci|json|output-file|verbose|silent|reporters|update-snapshot|notify.*|all|only-changed|only-failures|changed-.*|last-commit|force-exit|detect-open-handles|open-handles-timeout|pass-with-no-tests|colors?|shard|cache-directory|find-related-tests|run-tests-by-path|test-results-processor|test-failure-exit-code|test-location-in-results))$/,
    filters: true,
  },
  vitest: {
    values: set(
      '-c --config --config-loader -r --root --dir --environment --pool --pool-options --pool-options.threads --pool-options.forks --pool-options.vm-threads --pool-options.vm-forks --project --reporter --reporters --output-file --test-timeout --hook-timeout --teardown-timeout -t --test-name-pattern --exclude --mode --max-workers --min-workers --max-concurrency --shard --bail --retry --workspace --api --api.host --api.port --silent --coverage.provider --coverage.include --coverage.exclude --coverage.extension --coverage.reporter --coverage.reports-directory --coverage.ignore-class-methods --coverage.custom-provider-module --coverage.watermarks.statements --coverage.watermarks.lines --coverage.watermarks.branches --coverage.watermarks.functions --browser --browser.name --browser.provider --browser.provider-options --browser.api --browser.api.host --pool-options.vm-threads.memory-limit --pool-options.vm-forks.memory-limit --vm-memory-limit --exec-argv --tags-filter --changed --sequence --sequence.seed --sequence.hooks --sequence.setup-files --inspect --inspect-brk --diff --typecheck.checker --typecheck.tsconfig --slow-test-threshold --segfault-retry --attachments-dir --merge-reports --cache.dir',
    ),
    dropped:
      /^(?:-[uw]|--(?:run|watch|coverage.*|reporter.*|output-file.*|bail|retry|segfault-retry|update|ui|open|api.*|silent|pass-with-no-tests|hide-skipped-tests|typecheck.*|shard|changed|color|inspect.*|merge-reports|standalone))$/,
    commands: ['run', 'watch', 'dev', 'related'],
    filters: true,
  },
  mocha: {
    values: set(
      '-r --require -t --timeout --timeouts -u --ui -s --slow -R --reporter -O --reporter-option --reporter-options -f --fgrep -g --grep --ext --extension --watch-extensions --file --global --globals --ignore --exclude --config --package --retries -j --jobs --opts --spec --watch-files --watch-ignore -n --node-option --compilers --import --loader --experimental-loader --conditions --env-file',
    ),
    files: set('--spec'),
    dropped:
      /^(?:-[RObcCGjpw]|--(?:reporter|reporter-options?|parallel|jobs|bail|watch|watch-.*|retries|forbid-only|forbid-pending|exit|growl|colors?|full-trace|dry-run|fail-zero|pass-on-failing-test-suite|posix-exit-codes|inspect.*|debug.*))$/,
  },
  node: {
    values: set(
      '--import -r --require --loader --experimental-loader -C --conditions --env-file --env-file-if-exists --test-name-pattern --test-skip-pattern --test-concurrency --test-timeout --test-isolation --experimental-test-isolation --test-global-setup --test-reporter --test-reporter-destination --test-rerun-failures --test-shard --test-random-seed --test-coverage-branches --test-coverage-functions --test-coverage-lines --test-coverage-include --test-coverage-exclude --experimental-test-tag-filter --experimental-config-file --watch-path --watch-kill-signal --input-type --disable-warning --disable-proto --dns-result-order --diagnostic-dir --redirect-warnings --unhandled-rejections --icu-data-dir --openssl-config --title --max-http-header-size --localstorage-file --allow-fs-read --allow-fs-write --cpu-prof-dir --cpu-prof-name --heap-prof-dir --heap-prof-name --report-dir --report-directory --report-filename',
    ),
    dropped:
      /^--(?:test|test-reporter.*|test-rerun-failures|experimental-test-coverage|test-coverage.*|watch.*|test-shard|inspect.*)$/,
  },
  ava: {
    values: set('-c --concurrency --config -m --match --node-arguments -T --timeout'),
    dropped: /^(?:-[tuvw]|--(?:tap|watch|verbose|fail-fast|update-snapshots|color|reset-cache))$/,
    commands: ['reset-cache'],
  },
  // tape and tap are left out, and node takes their place with what it understands of theirs.
  tap: {
    values: set(
      '-r --require --import --loader -i --ignore --ignore-pattern -R --reporter --reporter-arg -t --timeout -g --grep -j --jobs --files --save --before --after -M --coverage-map --coverage-report --test-regex --test-ignore --test-arg --test-env --nyc-arg --node-arg --rcfile --libtap-settings -o --output-file -d --output-dir --branches --functions --lines --statements',
    ),
    files: set('--files'),
    dropped: /^(?!(?:-r|--require|--import|--loader)$)/,
  },
  qunit: {
    values: set('-f --filter -m --module -r --reporter --require --seed'),
    dropped: /^(?:-[rw]|--(?:reporter|seed|watch))$/,
  },
  bun: {
    values: set(
      '-r --preload --require --import --timeout -t --test-name-pattern --coverage-reporter --coverage-dir --reporter --reporter-outfile --env-file --cwd -c --config --tsconfig-override -d --define -l --loader --conditions --external --install --main-fields --extension-order --jsx-factory --jsx-fragment --jsx-import-source --jsx-runtime',
    ),
    dropped:
      /^(?:-u|--(?:coverage.*|watch|hot|bail|reporter.*|update-snapshots|only-failures|rerun-each|pass-with-no-tests|inspect.*))$/,
    commands: ['test'],
    filters: true,
  },
} as const satisfies Readonly<Record<string, ArgumentDialect>>
