import { joinWords } from '../shell-words.ts'
import type { PytestConfig } from './pytest-config.ts'

/**
 * Options of a project's `addopts` that would hide results, stop early, run in several processes, retry, need a plug-in
 * for something else than tests, or fight with our own: all are dropped, everything else is kept. `value` says that a
 * following word belongs to the option.
 */
const dropped: readonly { readonly names: RegExp; readonly value?: boolean }[] = [
  { names: /^(-q+|-v+|--quiet|--verbose|-x|--exitfirst|--pdb|--trace|--no-header|--no-summary|-l|--showlocals)$/ },
  { names: /^(--maxfail|--verbosity|--tb|--color|--code-highlight|--durations|--durations-min|-r)$/, value: true },
  { names: /^--(full-trace|disable-warnings|disable-pytest-warnings)$/ },
  { names: /^(-h|--help|-V|--version|-d|-f|--looponfail)$/ },
  { names: /^--(lf|last-failed|ff|failed-first|nf|new-first|sw|stepwise|sw-skip|stepwise-skip|cache-clear)$/ },
  { names: /^--(strict|strict-config|strict-markers)$/ },
  {
    names: /^(-c|--config-file|--rootdir|--basetemp|--junit-?xml|--junit-?prefix|--report-log|--html|--css)$/,
    value: true,
  },
  { names: /^--(self-contained-html|json-report|nunit-xml|alluredir|clean-alluredir|sugar|force-sugar|old-summary)$/ },
  { names: /^(-n|--numprocesses|--dist|--maxprocesses|--maxschedchunk|--tx|--max-worker-restart)$/, value: true },
  { names: /^--(boxed|forked|no-loadscope-reorder)$/ },
  { names: /^--(reruns|reruns-delay|only-rerun|rerun-except|flake-finder|count)$/, value: true },
  { names: /^--(no-flaky-report|force-flaky)$/ },
  { names: /^--cov(-report|-config|-fail-under|-context)$/, value: true },
  { names: /^--(no-)?cov(-append|-branch|-reset)?$|^--no-cov-on-fail$/ },
  {
    names:
      /^--(flake8|black|mypy|mypy-ignore-missing-imports|pylint|isort|pycodestyle|pydocstyle|ruff|ruff-format|codestyle|docstyle|pep8|flakes|checkdocs|typeguard-packages)$/,
  },
  { names: /^--(random-order|randomly-dont-reorganize|randomly-dont-reset-seed|random-order-bucket)$/ },
  { names: /^--randomly-seed$/, value: true },
]

/** Plug-ins whose options or configuration keys a project may use without declaring them for tests. */
const plugins: readonly { readonly sign: RegExp; readonly name: string }[] = [
  { sign: /^--timeout(?![\w])|^timeout$|^timeout_method$/, name: 'pytest-timeout' },
  { sign: /^--asyncio-mode|^asyncio_mode$|^asyncio_default_fixture_loop_scope$/, name: 'pytest-asyncio' },
  {
    sign: /^--(ds|reuse-db|nomigrations|no-migrations|create-db)(?![\w])|^DJANGO_SETTINGS_MODULE$/i,
    name: 'pytest-django',
  },
  { sign: /^--benchmark-|^--benchmark(?![\w])/, name: 'pytest-benchmark' },
  { sign: /^--doctest-plus|^doctest_plus$/, name: 'pytest-doctestplus' },
  { sign: /^env$/, name: 'pytest-env' },
  { sign: /^mock_use_standalone_module$/, name: 'pytest-mock' },
]

export function keptOptions(addopts: readonly string[]): string[] {
  const kept: string[] = []
  const words = addopts.flatMap(separate)
  for (let at = 0; at < words.length; at++) {
    const word = words[at]!
    const name = word.startsWith('--') ? word.split('=')[0]! : word
    const rule = dropped.find((entry) => entry.names.test(name))
    if (!rule) {
      if (
        word === '-p' &&
        /^(no:)?(cacheprovider|xdist|randomly|cov|pytest_cov|rerunfailures|sugar)$/.test(words[at + 1] ?? '')
      )
        at += 1
      else kept.push(word)
    } else if (rule.value && !word.includes('=') && !/^-/.test(words[at + 1] ?? '-')) at += 1
    else if (isBareCoverage(word, words[at + 1])) at += 1
  }
  return kept
}

/** `-xvs` as `-x -v -s`, and `-vrA`, `-n4`, `-pno:x` with the value as a word of its own. */
function separate(word: string): readonly string[] {
  const [, flags = '', option = '', value = ''] = /^-([qvxslhVdf]*)([kmpcorWn]?)=?(.*)$/s.exec(word) ?? []
  const isWhole = flags + option === '' || (option === '' && value !== '') || value.startsWith('-')
  if (isWhole) return [word]
  return [...[...flags].map((flag) => `-${flag}`), ...(option && [`-${option}`]), ...(value && [value])]
}

/** `--cov NAME`: its value is optional, so a following word that is no option belongs to it. */
function isBareCoverage(word: string, next: string | undefined): boolean {
  return word === '--cov' && next !== undefined && !next.startsWith('-')
}

/**
 * Warnings that are no fault of the test that they fail: deprecations of pytest itself tell the age of pytest, and an
 * exception in a finalizer (a file that another test left open, say) hits whichever test runs when memory is collected.
 */
const HARMLESS = ['ignore::pytest.PytestDeprecationWarning', 'ignore:Exception ignored']

/** Value of PYTEST_ADDOPTS: what the project's own options must keep, and what its configuration makes necessary. */
export function pytestAddopts(config: PytestConfig | undefined): string {
  const keys = config?.keys ?? []
  // An unknown key is an error where warnings are, so a project's `cache_dir` needs the plug-in that declares it.
  const cache = keys.includes('cache_dir') ? ['-o', 'cache_dir=/tmp/pytest-cache'] : ['-p', 'no:cacheprovider']
  const strict = keys
    .filter((key) => key === 'strict' || key === 'strict_config')
    .flatMap((key) => ['-o', `${key}=false`])
  const warnings = config?.warningsFail ? HARMLESS.flatMap((filter) => ['-W', filter]) : []
  return joinWords([...cache, ...strict, ...keptOptions(config?.addopts ?? []), ...warnings])
}

export function neededPlugins(config: PytestConfig | undefined): string[] {
  const signs = [...(config?.keys ?? []), ...keptOptions(config?.addopts ?? [])]
  return plugins.filter(({ sign }) => signs.some((text) => sign.test(text))).map(({ name }) => name)
}
