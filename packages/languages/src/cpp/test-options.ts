/** Names that switch the tests on; not those that only look so, or that ask for more than this machine has. */
const tests = /(?:^|_|[a-z])(?:TESTS?|TESTING|UNITTESTS?|Tests?|tests?|testing)(?:_|$)/
const others =
  /FUZZ|BENCH|COVER|VALGRIND|INSTALL|SANITI|NETWORK|ONLINE|PERF|CUDA|HIP|MPI|SYSTEM|EXTERNAL|COMPILE_?FAIL|DOWNLOAD|STRESS|DISABLE|SKIP|(?:^|_)NO_|WITHOUT|PYTHON|JAVA|DOCKER|INTEGRATION|FAST|GTEST|GOOGLE|DOCTEST|EXAMPLE|INTERNET|REMOTE|SLOW|LONG|WINDOWS|ANDROID/i
/** New compilers warn about old code. */
const strict = /WERROR|WARN(?:ING)?S?_(?:AS|ARE)_ERR|WARNINGS?AsErrors?|TREAT_WARNINGS/i

/** The value that an option of this name should have, or undefined where its own is right. */
export function testOption(name: string): boolean | undefined {
  if (strict.test(name)) return false
  return tests.test(name) && !others.test(name) ? true : undefined
}
