import type { FileRole, LanguagePack } from '@r2e/spec'

const DOCS_ROOTS = new Set(['doc', 'docs', 'documentation', 'example', 'examples'])
const TEST_FOLDERS = new Set([
  'test',
  'tests',
  'testing',
  'spec',
  'specs',
  'e2e',
  'unittest',
  'unittests',
  'testdata',
  'test-data',
  'test_data',
  '__tests__',
  '__mocks__',
  '__fixtures__',
  '__snapshots__',
])
/** `integration-tests`, `MyApp.Tests`, `androidTest`. */
const TEST_FOLDER = /[-_.](?:tests?|specs?|e2e)$|^(?:android|common|jvm|integration|functional|unit)tests?$/
const TEST_NAME =
  /^(?:test_.*\.py|.*_tests?\.py|conftest\.py|.*_test\.(?:go|exs?|dart|rb|cc|cpp|cxx|c|lua|jl)|.*_spec\.(?:rb|lua)|.*[-.](?:test|spec)\.[cm]?[jt]sx?|.*\.snap)$/i
/** Camel-case conventions: `latest.java` is no test, `LaTest.java` is. */
const TEST_CLASS =
  /^(?:.*(?:Test|Tests|TestCase|IT)\.(?:java|kts?|groovy|scala)|Test[A-Z0-9].*\.java|.*(?:Spec|Suite)\.(?:scala|kt|groovy)|.*Tests?\.(?:cs|fs|vb|php|swift|m|mm))$/
const CI_FOLDERS = [
  '.github',
  '.gitlab',
  '.gitea',
  '.forgejo',
  '.circleci',
  '.buildkite',
  '.woodpecker',
  '.azure-pipelines',
  '.azuredevops',
  '.teamcity',
  '.semaphore',
  '.drone',
  '.tekton',
  '.builds',
  '.jenkins',
  '.zuul.d',
]
const CI_FILE =
  /^(?:\.?gitlab-ci\.ya?ml|\.?azure-pipelines[^/]*\.ya?ml|jenkinsfile[^/]*|\.travis\.ya?ml|\.?appveyor\.ya?ml|\.?drone\.(?:ya?ml|jsonnet|star)|\.?woodpecker\.ya?ml|\.?cirrus\.(?:ya?ml|star)|bitbucket-pipelines\.ya?ml|\.?buildkite\.ya?ml|\.build\.ya?ml|\.?zuul\.ya?ml|\.?codecov\.ya?ml|wercker\.ya?ml|codeship-[^/]*\.ya?ml|\.scrutinizer\.ya?ml|\.readthedocs\.ya?ml|\.?dependabot\.ya?ml|renovate\.json5?|\.renovaterc(?:\.json)?|\.mergify\.ya?ml)$/i
const DOCS_NAME =
  /^(?:readme|changelog|changes|history|news|contributing|authors|contributors|code_of_conduct|security|licen[cs]e|copying|notice|maintainers|support|upgrading|migration)(?:[-_.].*)?$|\.(?:md|mdx|markdown|rst|adoc|asciidoc|textile)$/i
const SOURCE_NAME =
  /\.(?:py|pyi|pyx|pxd|go|rs|[cm]?[jt]sx?|vue|svelte|java|kts?|scala|groovy|clj[cs]?|c|h|cc|cpp|cxx|hh|hpp|hxx|m|mm|swift|cs|fs|vb|rb|php|pl|pm|lua|jl|r|ex|exs|erl|hrl|hs|ml|mli|elm|dart|zig|nim|cr|d|sh|bash|zsh|fish|ps1|sql|proto|graphql|gql|thrift|css|scss|sass|less|html?|jinja2?|j2|tmpl|tpl|erb|ejs|hbs|asm|s|cu|f|f90|v|sv|vhd|sol|tf)$/i

/**
 * What a path is to the splitter (contract §3). CI files of every forge and documentation roots come first, since no
 * language may call them tests; then the language that the file is written in, and the first other one with an opinion
 * (resources follow the tests they lie beside); then the conventions shared by all. Whole
 * path components count, upper and lower case alike. What lies in a test folder follows it, whatever its kind; what a
 * language calls source is a test below a root folder such as `integration-tests`.
 */
export function pathRole(path: string, packs: readonly LanguagePack[]): FileRole {
  const components = path.split('/')
  const name = components.pop()!
  const folders = components.map((folder) => folder.toLowerCase())
  if (isCi(folders, name)) return 'ci'
  if (folders[0] !== undefined && DOCS_ROOTS.has(folders[0])) return 'docs'
  for (const pack of ownersFirst(path, packs)) {
    const role = pack.role(path)
    if (role !== undefined) return role === 'source' && isRootOfTests(folders) ? 'test' : role
  }
  if (folders.some((folder) => TEST_FOLDERS.has(folder) || TEST_FOLDER.test(folder))) return 'test'
  if (TEST_NAME.test(name) || TEST_CLASS.test(name)) return 'test'
  if (DOCS_NAME.test(name)) return 'docs'
  return SOURCE_NAME.test(name) ? 'source' : 'other'
}

/** One with sources of its own may be a library that a project ships, such as `tokio-test/src` or `rack-test/lib`. */
function isRootOfTests([root = '', ...below]: readonly string[]): boolean {
  return TEST_FOLDER.test(root) && !below.includes('src') && !below.includes('lib')
}

function ownersFirst(path: string, packs: readonly LanguagePack[]): readonly LanguagePack[] {
  const isOwner = (pack: LanguagePack) => pack.detect([path]) > 0
  return [...packs.filter(isOwner), ...packs.filter((pack) => !isOwner(pack))]
}

/** {@link pathRole} under fixed packs, answers kept: a history names the same paths again and again. */
export function roleUnder(packs: readonly LanguagePack[]): (path: string) => FileRole {
  const known = new Map<string, FileRole>()
  return (path) => {
    const role = known.get(path) ?? pathRole(path, packs)
    known.set(path, role)
    return role
  }
}

/** Whether a file's name says that it holds code, by its ending. */
export function isCode(path: string): boolean {
  return SOURCE_NAME.test(path)
}

function isCi(folders: readonly string[], name: string): boolean {
  if (CI_FOLDERS.includes(folders[0] ?? '')) return true
  return folders.length === 0 && CI_FILE.test(name)
}
