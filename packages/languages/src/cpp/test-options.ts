/** Names that switch the tests on; not those that only look so, or that ask for more than this machine has. */
const tests = /(?:^|_|[a-z])(?:TESTS?|TESTING|UNITTESTS?|Tests?|tests?|testing)(?:_|$)/
const others =
  /^(?:FUZZ|BENCH|BENCHMARK|COVER|COVERAGE|VALGRIND|INSTALL|INSTALLED|SANITIZE|SANITY|NETWORK|ONLINE|PERF|PERFORMANCE|CUDA|HIP|MPI|SYSTEM|EXTERNAL|COMPILEFAIL|COMPILEFAILURE|DOWNLOAD|STRESS|DISABLE|DISABLED|SKIP|NO|WITHOUT|PYTHON\d?|JAVA|JAVASCRIPT|DOCKER|INTEGRATION|FAST|GTEST|GOOGLE|DOCTEST|EXAMPLE|INTERNET|REMOTE|SLOW|LONG|WINDOWS|ANDROID)(?:S|R|RS|D|ER|ERS|ING|(?:UNIT)?TESTS?|TESTING)?$/i
const compileFailures = /COMPILE_FAIL/i
/** Other ways to build all, not only tests: each costs what the plain build has. */
const variants = /^(?:PEDANTIC|STRICT|EXPENSIVE|SHARED|STATIC|MODULES?|EXCEPTIONS|ONLY|LTO|IPO|DEBUG|LINT|TIDY|CLANG)$/i
/** New compilers warn about old code. */
const strict = /WERROR|WARN(?:ING)?S?_(?:AS|ARE)_ERR|WARNINGS?AsErrors?|TREAT_WARNINGS/i

/** The value that an option of this name should have, or undefined where its own is right. */
export function testOption(name: string, projects: readonly string[] = []): boolean | undefined {
  if (strict.test(name)) return false
  const own = withoutProject(name.split(/[-_]/), projects)
  return tests.test(own.join('_')) && !isOther(own) ? true : undefined
}

/** Whether an option that tests are registered under may be switched on. */
export function isHarmless(name: string, projects: readonly string[]): boolean {
  const own = withoutProject(name.split(/[-_]/), projects)
  return !strict.test(name) && !isOther(own) && !own.some((word) => variants.test(word))
}

/** `FASTFLOAT_TEST` says nothing of fast tests where the project is called fast_float. */
function withoutProject(words: readonly string[], projects: readonly string[]): readonly string[] {
  const names = new Set(projects.map(bare).filter((name) => !/^(?:unit)?tests?$/.test(name)))
  const end = words.findIndex((_, at) => at > 0 && names.has(bare(words.slice(0, at).join(''))))
  return end < 0 ? words : words.slice(end)
}

function bare(name: string): string {
  return name.toLowerCase().replace(/[^a-z0-9]/g, '')
}

/** Words end at underscores and where small letters end: `JSON_FastTests`. */
function isOther(words: readonly string[]): boolean {
  const parts = words.flatMap((word) => word.split(/(?<=[a-z])(?=[A-Z])/))
  return parts.some((part) => others.test(part)) || compileFailures.test(words.join('_'))
}
