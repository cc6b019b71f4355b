import { baseName, isDocumentation } from './path.ts'

const code =
  /\.(py|pyx|go|js|jsx|mjs|cjs|ts|tsx|mts|cts|rs|java|kt|scala|c|cc|cpp|cxx|h|hh|hpp|hxx|cs|rb|php|swift|ex|exs)$/i
const foreign = /(^|\/)(node_modules|vendor|third_party|\.venv)\//

export interface LanguageEvidence {
  readonly files: RegExp
  readonly manifests: readonly string[]
  readonly locks: readonly string[]
  /** Folders of code that a project of another language carries along; not counted where the root has its manifest. */
  readonly carried?: RegExp | undefined
}

/** At the root, they say whose project it is. */
const owners =
  /^(pyproject\.toml|setup\.py|go\.mod|Cargo\.toml|pom\.xml|build\.gradle(\.kts)?|CMakeLists\.txt|Gemfile|composer\.json|[^/]+\.(sln|csproj))$/

/** 0 where nothing speaks for the language; else its share of the code in percent, plus its manifests and locks. */
export function weigh(paths: readonly string[], evidence: LanguageEvidence): number {
  const carried = evidence.carried && paths.some((path) => owners.test(path)) ? evidence.carried : undefined
  let all = 0
  let own = 0
  let bonus = 0
  for (const path of paths) {
    if (foreign.test(path)) continue
    const nearRoot = path.split('/').length
    if (nearRoot <= 2 && evidence.manifests.includes(baseName(path))) bonus = Math.max(bonus, 30 / nearRoot)
    if (nearRoot === 1 && evidence.locks.includes(path)) bonus = Math.max(bonus, 50)
    if (isDocumentation(path) || !code.test(path)) continue
    if (carried?.test(path)) continue
    all += 1
    if (evidence.files.test(path)) own += 1
  }
  return own === 0 ? 0 : (100 * own) / all + bonus
}
