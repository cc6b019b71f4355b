import type { CiFacts, Fact } from './ci-facts.ts'
import type { Doubt } from './shell-commands.ts'
import { isResolved, unresolved } from './unresolved.ts'

export interface AptInstall {
  readonly packages: readonly string[]
  readonly leftOut: readonly LeftOut[]
}

export interface LeftOut {
  /** As it is written, what is not known as `…`. */
  readonly word: string
  readonly reason: string
}

/** Of a name with its version. */
const longestName = 200

/** Options whose value is the next word. */
const withValue = new Set([
  '-o',
  '-c',
  '-t',
  '-a',
  '--option',
  '--config-file',
  '--target-release',
  '--default-release',
  '--host-architecture',
])

/** The packages of `apt-get install …`; undefined for other commands. Expects words without `sudo` and the like. */
export function readAptInstall(words: readonly string[], doubt?: Doubt): AptInstall | undefined {
  if (!/^(?:\/usr\/bin\/)?(?:apt|apt-get|aptitude)$/.test(words[0] ?? '')) return undefined
  const named = operands(words.slice(1))
  if (named[0] === 'build-dep')
    return { packages: [], leftOut: named.slice(1).map(leaveOut('the build dependencies of a package')) }
  if (named[0] !== 'install') return undefined
  if (doubt !== undefined) return { packages: [], leftOut: named.slice(1).map(leaveOut(`in a ${doubt}`)) }
  return readPackageNames(named.slice(1))
}

export function readPackageNames(words: readonly string[]): AptInstall {
  const read = words.map((word) => ({ word, ...readPackage(word) }))
  return {
    packages: read.flatMap(({ name }) => name ?? []),
    leftOut: read.flatMap(({ word, reason }) => (reason === undefined ? [] : [leaveOut(reason)(word)])),
  }
}

function operands(words: readonly string[]): string[] {
  const found: string[] = []
  for (let at = 0; at < words.length; at++) {
    const word = words[at]!
    if (withValue.has(word)) at++
    else if (!word.startsWith('-')) found.push(word)
  }
  return found
}

function leaveOut(reason: string): (word: string) => LeftOut {
  return (word) => ({ word: word.slice(0, longestName).replaceAll(unresolved, '…'), reason })
}

type ReadPackage =
  | { readonly name: string; readonly reason?: undefined }
  | { readonly name?: undefined; readonly reason: string }

/** Debian's grammar of a name, after which a version, a release or an architecture may stand. */
function readPackage(word: string): ReadPackage {
  if (word.length > longestName) return { reason: 'no name of a package' }
  if (!isResolved(word)) return { reason: 'not known before the job runs' }
  if (/[/\\]|\.deb$/.test(word) && !/^[a-z0-9][a-z0-9+.-]+\/[a-z-]+$/.test(word)) return { reason: 'a file' }
  const [, name, architecture] = /^([a-z0-9][a-z0-9+.-]+)(?::([a-z0-9]+))?(?:[=/][\w.+:~*-]*)?$/.exec(word) ?? []
  if (name === undefined) return { reason: /[*?[^$]/.test(word) ? 'a pattern' : 'no name of a package' }
  if (architecture !== undefined && !['amd64', 'any', 'native', 'all'].includes(architecture))
    return { reason: 'of another architecture' }
  if (name.endsWith('-')) return { reason: 'removed' }
  if (isTiedToRelease(name)) return { reason: 'tied to one release of the system' }
  return { name: debianName(name) }
}

const tiedToRelease = [
  /^(?:gcc|g\+\+|cpp|gfortran|clang|clang\+\+|clang-(?:tools|tidy|format)|lld|lldb|llvm)-\d[\d.]*(?:-[a-z]+)*$/,
  /^(?:libc\+\+|libc\+\+abi|libclang|libclang-rt|libgcc|libstdc\+\+)-\d[\d.]*-dev$/,
  /^python\d\.\d+(?:-[a-z]+)*$/,
  /^linux-(?:headers|image|modules|tools)/,
]

/** Compilers by number and headers of a kernel: what an image of another release lacks, and has in a form of its own. */
function isTiedToRelease(name: string): boolean {
  return tiedToRelease.some((pattern) => pattern.test(name))
}

/** What Ubuntu or an older Debian calls otherwise than Debian's releases of today. */
const renamed: Readonly<Record<string, string>> = {
  'libegl1-mesa': 'libegl1',
  'libgdk-pixbuf2.0-dev': 'libgdk-pixbuf-2.0-dev',
  'libgl1-mesa-glx': 'libgl1',
  'libjpeg-turbo8-dev': 'libjpeg62-turbo-dev',
  'libjpeg8-dev': 'libjpeg-dev',
  'libmysqlclient-dev': 'default-libmysqlclient-dev',
  'libncurses5-dev': 'libncurses-dev',
  'libncursesw5-dev': 'libncurses-dev',
  'libpng12-dev': 'libpng-dev',
  'libreadline6-dev': 'libreadline-dev',
  'libreadline7-dev': 'libreadline-dev',
  'libtiff4-dev': 'libtiff-dev',
  'libtiff5-dev': 'libtiff-dev',
  'mysql-client': 'default-mysql-client',
  'python-dev': 'python3-dev',
  'ttf-dejavu': 'fonts-dejavu',
  'ttf-dejavu-core': 'fonts-dejavu-core',
}

/** The name in Debian, where it is known to be another. A name that only Ubuntu has stays, and fails in the image. */
function debianName(name: string): string {
  return Object.hasOwn(renamed, name) ? renamed[name]! : name
}

/** Tools of people and of other jobs than those of tests, or of every image that the engine prepares. */
const tools =
  /^(?:apt-transport-https|apt-utils|bash|bash-completion|ca-certificates|ccache|clang-format|clang-tidy|cppcheck|curl|dirmngr|doxygen|gcovr|gdb|git|git-core|gnupg2?|htop|iwyu|lcov|less|locales|lsb-release|man-db|nano|openssh-client|software-properties-common|strace|sudo|tar|tmux|unzip|valgrind|vim|wget|zsh)$/

/** What the image of a language brings in its own version. */
const own: Readonly<Record<string, RegExp>> = {
  cpp: /^(?:build-essential|crossbuild-essential-[a-z0-9]+|ccache|clang|cmake|g\+\+|gcc|lld|llvm|make|meson|ninja-build|pkg-config|pkgconf)$/,
  csharp: /^dotnet-/,
  go: /^golang/,
  java: /^(?:default-j[dr]k|openjdk-\d+|maven$|gradle$)/,
  javascript: /^(?:nodejs|npm|yarn|yarnpkg)$/,
  php: /^(?:php[\d.]*(?:-|$)|composer$)/,
  python:
    /^(?:python3?|python-is-python3|python3?-(?:dev|pip|venv|setuptools|wheel|virtualenv|pytest|tox)|tox|virtualenv)$/,
  ruby: /^(?:ruby[\d.]*|ruby[\d.]*-dev|ruby-full|bundler|ruby-bundler|rake)$/,
  rust: /^(?:rustc|cargo|rustup|rust-all)$/,
}

const mostPackages = 60

/** The packages that a recipe gains by what CI files and Dockerfiles install. */
export function packagesOfCi(facts: CiFacts, language: string, system: readonly string[]): readonly Fact<string>[] {
  const brought = Object.hasOwn(own, language) ? own[language] : undefined
  return facts.packages
    .filter(({ value }) => !tools.test(value) && !brought?.test(value) && !system.includes(value))
    .slice(0, mostPackages)
}
