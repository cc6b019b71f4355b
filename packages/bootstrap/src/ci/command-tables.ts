/** What the tool of a language does, by its words. */
export interface CommandTable {
  readonly programs: readonly string[]
  /** Absent where any language may use it. */
  readonly language?: string
  /** Options whose value is the next word; it is read as `--name=value`. */
  readonly valued?: readonly string[]
  /** The first that fits; a command that fits none is of another kind. */
  readonly rules: readonly Rule[]
}

/** Fits where all that it names does. */
export interface Rule {
  readonly kind: 'install' | 'test' | 'other'
  readonly option?: RegExp
  /** For the first words that are no options, behind those to skip. */
  readonly operands?: readonly Matcher[]
  readonly skip?: ReadonlySet<string>
  /** Whether the one operand may stand at any place. */
  readonly anywhere?: boolean
  /** Without any operand. */
  readonly isBare?: boolean
}

/** Of one word, which has a bounded length. A pattern has no repetition in a repetition. */
export type Matcher = RegExp | ReadonlySet<string>

function words(text: string): ReadonlySet<string> {
  return new Set(text.split(' '))
}

const install = (text: string): Rule => ({ kind: 'install', operands: [words(text)] })
const test = (matcher: Matcher): Rule => ({ kind: 'test', operands: [matcher] })

/** Environments of tox and sessions of nox that run no tests. */
const otherEnvironment =
  /^(?:-[esfm]|--env|--sessions?)=?.*(?:lint|typing|type|mypy|docs?\b|doc-|format|style|flake|pre-commit|build|release|package|coverage|cov-|changelog|pkg)/

/** A task, in the form `environment:task` too. */
const testTask = /(?:^|:)(?:(?:[\w.]+-)?tests?|pytest|cov|test-cov|check)$/

const python: readonly CommandTable[] = [
  {
    programs: ['tox', 'nox'],
    valued: ['-e', '-s', '-f', '-m', '--env', '--session', '--sessions', '-c', '--conf', '-p', '--python', '-k'],
    rules: [{ kind: 'other', option: otherEnvironment }, { kind: 'test' }],
  },
  {
    programs: [
      ...['pytest', 'py.test', 'nosetests', 'nose2', 'trial', 'stestr', 'green', 'ward', 'zope-testrunner'],
      ...['unittest', 'testtools.run', 'xdist'],
    ],
    rules: [{ kind: 'test' }],
  },
  {
    programs: ['hatch', 'pdm', 'poetry', 'poe', 'invoke', 'inv', 'task', 'rye', 'just'],
    valued: ['-e', '--env', '-p', '--project', '-C', '--directory', '-f'],
    rules: [
      { ...test(testTask), skip: words('run') },
      { kind: 'test', operands: [/:$/, testTask], skip: words('run') },
      install('install sync update lock env create config'),
    ],
  },
  {
    programs: ['python'],
    valued: ['-W', '-X', '-c', '-m'],
    rules: [
      { kind: 'other', option: /^-[cm]/ },
      { kind: 'test', operands: [/(?:^|\/)(?:setup|manage)\.py$/, words('test')] },
      { kind: 'install', operands: [/(?:^|\/)setup\.py$/, words('install develop')] },
      { kind: 'install', operands: [/(?:^|\/)get-pip\.py$/] },
      test(/(?:^|\/)tests?\/[^/]+\.py$|test[^/]*\.py$/),
    ],
  },
  { programs: ['pip', 'pipx'], rules: [install('install uninstall download wheel')] },
  { programs: ['uv'], rules: [install('pip sync venv python lock tool')] },
  {
    programs: ['pipenv', 'conda', 'mamba', 'micromamba', 'flit'],
    rules: [install('install sync update lock env create config')],
  },
  { programs: ['pip-sync', 'venv', 'virtualenv', 'ensurepip'], rules: [{ kind: 'install' }] },
]

/** A script of a manifest: `test`, `test:unit`, and not `test:types`. */
const testScript = /^(?:t|tst|tests?|unit|vitest|jest|mocha|ava)(?:[:-](?!types?\b|lint|size)[\w:-]+)?$/

const javascript: readonly CommandTable[] = [
  {
    programs: ['npm', 'pnpm', 'yarn', 'bun'],
    valued: ['--prefix', '--filter', '-F', '-C', '--dir', '--cwd'],
    rules: [
      { kind: 'test', operands: [words('workspace'), /./, testScript] },
      { kind: 'test', operands: [words('workspace'), /./, words('run'), testScript] },
      { ...test(testScript), skip: words('run run-script workspaces foreach') },
      install('i ci install add clean-install link config install-test it'),
      { kind: 'install', isBare: true },
    ],
  },
  { programs: ['corepack'], rules: [{ kind: 'install' }] },
  {
    programs: ['jest', 'vitest', 'mocha', 'ava', 'tap', 'tape', 'jasmine', 'karma', 'uvu', 'lab', 'borp', 'qunit'],
    rules: [{ kind: 'test' }],
  },
  { programs: ['node'], rules: [{ kind: 'test', option: /^--test$/ }] },
  { programs: ['deno'], rules: [test(words('test'))] },
  {
    programs: ['turbo', 'nx', 'lerna', 'wireit'],
    valued: ['-t', '--target', '--targets', '--filter', '-p', '--projects', '--scope'],
    rules: [
      { kind: 'test', option: /^(?:-t|--targets?)=test$/ },
      { ...test(words('test')), anywhere: true },
    ],
  },
]

const go: readonly CommandTable[] = [
  { programs: ['go', 'richgo'], valued: ['-C'], rules: [test(words('test')), install('get install mod work')] },
  { programs: ['gotestsum'], rules: [{ kind: 'test' }] },
]

const rust: readonly CommandTable[] = [
  {
    programs: ['cargo', 'cross'],
    valued: ['--manifest-path', '--color', '--config', '-Z', '-C'],
    rules: [
      { kind: 'test', operands: [/^\+/, words('test t nextest tarpaulin llvm-cov')] },
      test(words('test t nextest tarpaulin llvm-cov')),
      { kind: 'test', operands: [words('hack'), words('test')] },
      install('install fetch binstall generate-lockfile update'),
    ],
  },
  { programs: ['rustup'], rules: [{ kind: 'install' }] },
]

const java: readonly CommandTable[] = [
  {
    programs: ['mvn', 'mvnw', 'mvnd'],
    valued: ['-f', '--file', '-pl', '--projects', '-P', '-s', '--settings', '-t', '-T', '--threads', '-rf', '-D'],
    rules: [
      { kind: 'other', option: /^(?:-D=?|--define=)(?:skipTests|maven\.test\.skip)(?!=false$)/ },
      { ...test(words('test verify install package integration-test')), anywhere: true },
      { kind: 'install', operands: [/^dependency:/], anywhere: true },
      { kind: 'test', isBare: true },
    ],
  },
  {
    programs: ['gradle', 'gradlew'],
    valued: [
      '-x',
      '--exclude-task',
      '-p',
      '--project-dir',
      '-b',
      '-c',
      '-I',
      '--init-script',
      '--tests',
      '--max-workers',
    ],
    rules: [
      { kind: 'other', option: /^(?:-x|--exclude-task)=(?:test|check)$/ },
      { ...test(/(?:^|:)(?:test|check|build)$/), anywhere: true },
    ],
  },
]

const ruby: readonly CommandTable[] = [
  { programs: ['rspec', 'minitest', 'm', 'cucumber'], rules: [{ kind: 'test' }] },
  {
    programs: ['rake'],
    valued: ['-f', '-I', '-r', '-C', '-j'],
    rules: [
      { kind: 'test', isBare: true },
      { ...test(/^(?:test|spec|default|ci)(?::|$)/), anywhere: true },
    ],
  },
  { programs: ['ruby'], valued: ['-I', '-r', '-e'], rules: [test(/^(?:test|spec)\//)] },
  { programs: ['rails'], rules: [test(words('test spec'))] },
  {
    programs: ['gem', 'bundle', 'bundler'],
    rules: [install('install update config lock add'), { kind: 'install', isBare: true }],
  },
]

const php: readonly CommandTable[] = [
  { programs: ['phpunit', 'simple-phpunit', 'pest', 'paratest', 'codecept'], rules: [{ kind: 'test' }] },
  {
    programs: ['php'],
    valued: ['-d', '-c', '-r'],
    rules: [test(/(?:^|\/)(?:phpunit|simple-phpunit|pest|paratest|codecept)(?:\.phar)?$/)],
  },
  {
    programs: ['composer'],
    valued: ['-d', '--working-dir'],
    rules: [
      { ...test(/^(?:tests?|phpunit|check|ci)(?::|$)/), skip: words('run run-script') },
      install('install update require config remove global'),
    ],
  },
  { programs: ['pecl', 'docker-php-ext-install'], rules: [{ kind: 'install' }] },
]

const csharp: readonly CommandTable[] = [
  { programs: ['dotnet'], rules: [test(words('test vstest')), install('restore tool workload')] },
]

const cpp: readonly CommandTable[] = [
  { programs: ['ctest'], rules: [{ kind: 'other', option: /^(?:-N|--show-only.*)$/ }, { kind: 'test' }] },
  { programs: ['meson', 'bazel', 'bazelisk'], rules: [test(words('test'))] },
  { programs: ['ninja'], valued: ['-C', '-j', '-f'], rules: [{ ...test(words('test check')), anywhere: true }] },
  {
    programs: ['cmake'],
    valued: ['--build', '--target', '-t', '-j', '--config', '-S', '-B', '-G', '-D'],
    rules: [{ kind: 'test', option: /^(?:--target|-t)=(?:test|check|RUN_TESTS)$/ }],
  },
]

const anyLanguage: readonly CommandTable[] = [
  {
    programs: ['apt', 'apt-get', 'aptitude', 'dpkg', 'add-apt-repository', 'apk', 'brew', 'yum', 'dnf', 'pacman'],
    rules: [{ kind: 'install' }],
  },
  {
    programs: ['git'],
    valued: ['-C', '-c'],
    rules: [{ kind: 'install', operands: [words('submodule'), words('update')] }],
  },
]

function of(language: string, tables: readonly CommandTable[]): CommandTable[] {
  return tables.map((table) => ({ ...table, language }))
}

export const commandTables: readonly CommandTable[] = [
  ...of('python', python),
  ...of('javascript', javascript),
  ...of('go', go),
  ...of('rust', rust),
  ...of('java', java),
  ...of('ruby', ruby),
  ...of('php', php),
  ...of('csharp', csharp),
  ...of('cpp', cpp),
  ...anyLanguage,
]
