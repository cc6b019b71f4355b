export type CommandKind = 'install' | 'build' | 'test' | 'other'

export interface CommandClass {
  readonly kind: CommandKind
  /** The language whose tool it is; absent where any may use it. */
  readonly language?: string | undefined
}

interface Rule extends CommandClass {
  /** Matched against the words joined by single blanks. */
  readonly pattern: RegExp
}

const script = String.raw`(?:run(?:-script)?\s+)?`

/** The first that fits. Checks, documents and releases stand before the tests whose words they share. */
const rules: readonly Rule[] = [
  {
    kind: 'other',
    pattern:
      /^(?:tox|nox)(?: .*)?\s(?:-e|-s|--env|--session|-f|-m)[ =]?\S*(?:lint|typing|type|mypy|docs?\b|doc-|format|style|flake|pre-commit|build|release|package|coverage|cov-|changelog|pkg)/,
  },
  { kind: 'other', pattern: /\s(?:--version|--help|-h|--collect-only|--list-tests|-N)(?:\s|$)/ },
  {
    kind: 'other',
    pattern: /^cargo (?:\+\S+ )?(?:miri|fuzz|clippy|fmt|doc|publish|package|audit|deny|bench|semver-checks)\b/,
  },

  {
    kind: 'test',
    language: 'python',
    pattern:
      /^(?:py\.?test|tox|nox|nosetests|nose2|trial|stestr|green|ward|zope-testrunner|unittest|testtools\.run|xdist)(?:\s|$)/,
  },
  {
    kind: 'test',
    language: 'python',
    pattern:
      /^(?:hatch|pdm|poetry|poe|invoke|inv|task|rye|just)(?: run)?(?: \S+:)?\s?(?:(?:[\w.]+-)?tests?|pytest|cov|test-cov|check)(?:\s|$)/,
  },
  {
    kind: 'test',
    language: 'python',
    pattern:
      /^python[\d.]*(?: -\S+)* (?:\S*\/)?(?:setup\.py test|manage\.py test|\S*test\S*\.py|tests?\/\S+\.py)(?:\s|$)/,
  },
  {
    kind: 'test',
    language: 'javascript',
    pattern: new RegExp(
      `^(?:npm|pnpm|yarn|bun)(?: --?\\S+| -r)* ${script}(?:t|tst|tests?|unit|vitest|jest|mocha|ava)(?:[:-](?!types?\\b|lint|size)[\\w:-]+)?(?:\\s|$)`,
    ),
  },
  {
    kind: 'test',
    language: 'javascript',
    pattern: /^(?:jest|vitest|mocha|ava|tap|tape|jasmine|karma|uvu|lab|borp|qunit)(?:\s|$)/,
  },
  { kind: 'test', language: 'javascript', pattern: /^(?:node|deno|bun)(?: --?\S+)* (?:--test|test)(?:\s|$)/ },
  {
    kind: 'test',
    language: 'javascript',
    pattern: /^(?:npx )?(?:turbo|nx|lerna|wireit)(?: run)? (?:\S+ )*test(?:\s|$)/,
  },
  { kind: 'test', language: 'go', pattern: /^(?:go|richgo) test(?:\s|$)|^gotestsum(?:\s|$)/ },
  {
    kind: 'test',
    language: 'rust',
    pattern: /^(?:cargo|cross) (?:\+\S+ )?(?:-\S+ )*(?:test|t|nextest|hack test|tarpaulin|llvm-cov)(?:\s|$)/,
  },
  {
    kind: 'test',
    language: 'java',
    pattern:
      /^(?:\.\/)?(?:mvn|mvnw|mvnd)\b(?!.*-(?:DskipTests|Dmaven\.test\.skip)(?!=false)).*\s(?:test|verify|install|package|integration-test)(?:\s|$)/,
  },
  {
    kind: 'test',
    language: 'java',
    pattern: /^(?:\.\/)?mvnw?(?: -(?!D(?:skipTests|maven\.test\.skip))\S+(?: \S+\.xml)?)*$/,
  },
  {
    kind: 'test',
    language: 'java',
    pattern: /^(?:\.\/)?(?:gradle|gradlew)\b(?!.* -x (?:test|check)).*\s:?(?:[\w-]+:)*(?:test|check|build)(?:\s|$)/,
  },
  {
    kind: 'test',
    language: 'ruby',
    pattern:
      /^(?:rspec|minitest|m|cucumber)(?:\s|$)|^rake(?: \S+)* (?:test|spec|default|ci)(?::\S+)?(?:\s|$)|^rake$|^ruby(?: -\S+(?: lib| test)?)* (?:test|spec)\/\S+/,
  },
  { kind: 'test', language: 'ruby', pattern: /^(?:bin\/)?rails (?:test|spec)(?:\s|$)/ },
  {
    kind: 'test',
    language: 'php',
    pattern:
      /^(?:php )?(?:\S*\/)?(?:phpunit|simple-phpunit|pest|paratest|codecept)(?:\.phar)?(?:\s|$)|^composer (?:run(?:-script)? )?(?:test|tests|phpunit|check|ci)(?::\S+)?(?:\s|$)/,
  },
  { kind: 'test', language: 'csharp', pattern: /^dotnet (?:test|vstest)(?:\s|$)/ },
  {
    kind: 'test',
    language: 'cpp',
    pattern:
      /^ctest(?:\s|$)|^meson test(?:\s|$)|^(?:ninja|cmake --build)\b.*\s(?:test|check|RUN_TESTS)(?:\s|$)|^bazel(?:isk)? test(?:\s|$)/,
  },

  { kind: 'install', pattern: /^(?:apt|apt-get|aptitude|dpkg|add-apt-repository|apk|brew|yum|dnf|pacman) / },
  {
    kind: 'install',
    language: 'python',
    pattern:
      /^(?:pip[\d.]*|pipx) (?:-\S+ )*(?:install|uninstall|download|wheel)(?:\s|$)|^uv (?:pip|sync|venv|python|lock|tool)\b|^(?:poetry|pipenv|pdm|rye|conda|mamba|micromamba|flit|hatch) (?:install|sync|update|lock|env|create|config)\b|^(?:pip-sync|venv|virtualenv|ensurepip)(?:\s|$)|^python[\d.]* (?:setup\.py (?:install|develop)|get-pip\.py)(?:\s|$)/,
  },
  {
    kind: 'install',
    language: 'javascript',
    pattern:
      /^(?:npm|pnpm|bun) (?:-\S+ )*(?:i|ci|install|add|clean-install|link|config|install-test|it)(?:\s|$)|^yarn(?: install| add| --\S+|$)|^corepack /,
  },
  { kind: 'install', language: 'go', pattern: /^go (?:get|install|mod|work)(?:\s|$)/ },
  {
    kind: 'install',
    language: 'rust',
    pattern: /^(?:rustup|cargo (?:install|fetch|binstall|generate-lockfile|update))(?:\s|$)/,
  },
  { kind: 'install', language: 'java', pattern: /^(?:\.\/)?mvnw?\b.*\sdependency:/ },
  {
    kind: 'install',
    language: 'ruby',
    pattern: /^(?:gem|bundle|bundler) (?:install|update|config|lock|add)(?:\s|$)|^bundle$/,
  },
  {
    kind: 'install',
    language: 'php',
    pattern:
      /^composer (?:-\S+ )*(?:install|update|require|config|remove|global)(?:\s|$)|^(?:pecl|docker-php-ext-install) /,
  },
  { kind: 'install', language: 'csharp', pattern: /^dotnet (?:restore|tool|workload)(?:\s|$)/ },
  { kind: 'install', pattern: /^git submodule (?:\S+ )*update/ },

  {
    kind: 'build',
    language: 'python',
    pattern:
      /^python[\d.]* (?:\S*\/)?setup\.py (?:build_ext|build|build_clib|compile_catalog)\b|^(?:maturin develop|cython|cythonize|django-admin compilemessages|compilemessages)(?:\s|$)|^python[\d.]* manage\.py (?:migrate|compilemessages|collectstatic)(?:\s|$)/,
  },
  {
    kind: 'build',
    language: 'javascript',
    pattern: new RegExp(
      `^(?:npm|pnpm|yarn|bun)(?: --?\\S+| -r)* ${script}(?:build|compile|generate|codegen|prepare|prebuild|bundle|transpile|dist)(?:[:-](?!docs?)[\\w:-]+)?(?:\\s|$)`,
    ),
  },
  {
    kind: 'build',
    language: 'javascript',
    pattern:
      /^(?:tsc|rollup|webpack|vite build|esbuild|tsup|unbuild|gulp|grunt|babel|turbo(?: run)? build|nx(?: run-many)? .*build|lerna run build)(?:\s|$)/,
  },
  { kind: 'build', language: 'go', pattern: /^go (?:generate|build|vet)(?:\s|$)/ },
  { kind: 'build', language: 'rust', pattern: /^(?:cargo|cross) (?:\+\S+ )?(?:build|b|check)(?:\s|$)/ },
  { kind: 'build', language: 'java', pattern: /^(?:\.\/)?(?:mvn|mvnw|mvnd|gradle|gradlew|ant|sbt|bazel)(?:\s|$)/ },
  {
    kind: 'build',
    language: 'ruby',
    pattern: /^rake(?: \S+)* (?:compile|build|generate|parser|db:\S+)(?::\S+)?(?:\s|$)/,
  },
  { kind: 'build', language: 'php', pattern: /^(?:phpize|composer (?:run(?:-script)? )?build)(?:\s|$)/ },
  { kind: 'build', language: 'csharp', pattern: /^dotnet (?:build|publish|pack|msbuild)(?:\s|$)/ },
  {
    kind: 'build',
    language: 'cpp',
    pattern:
      /^(?:cmake|ninja|meson|bazel(?:isk)?|\.\/configure|autoreconf|\.\/autogen\.sh|\.\/bootstrap(?:\.sh)?|qmake|scons|xmake|premake\d?)(?:\s|$)/,
  },
]

/** Expects the words without wrappers such as `sudo` and `uv run`. */
export function classifyCommand(words: readonly string[]): CommandClass {
  const text = words.slice(0, 40).join(' ').slice(0, 400)
  const rule = rules.find(({ pattern }) => pattern.test(text))
  return rule === undefined ? { kind: 'other' } : { kind: rule.kind, language: rule.language }
}

/** What a script or target is for, by its name alone: `install_test_images` installs. */
export function classifyName(name: string): CommandKind {
  const words = name.toLowerCase().split(/[^a-z\d]+|(?<=[a-z])(?=\d)/)
  if (
    words.some((word) =>
      /^(?:lint|docs?|format|release|publish|deploy|clean|coverage|fuzz|bench(?:mark)?s?)$/.test(word),
    )
  )
    return 'other'
  const kinds = words.map((word) => nameKinds.find(([pattern]) => pattern.test(word))?.[1])
  return (
    kinds.find((kind) => kind !== undefined) ??
    (words.includes('ci') ? 'test' : words.includes('all') ? 'build' : 'other')
  )
}

const nameKinds: readonly (readonly [RegExp, CommandKind])[] = [
  [/^(?:install|setup|deps|dependencies|bootstrap|prepare|init|requirements|download|fetch)$/, 'install'],
  [/^(?:(?:run)?(?:unit)?tests?|\w+tests?|check|spec|specs|phpunit|pytest)$/, 'test'],
  [/^(?:build|compile|make|generate|gen|codegen|ext|extensions?)$/, 'build'],
]
