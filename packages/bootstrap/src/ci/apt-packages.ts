import { debianName } from './debian-names.ts'
import type { Doubt } from './shell-commands.ts'
import { isResolved } from './unresolved.ts'

export interface AptInstall {
  readonly packages: readonly string[]
  readonly leftOut: readonly LeftOut[]
}

export interface LeftOut {
  /** As it is written, what is not known as `…`. */
  readonly word: string
  readonly reason: string
}

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
  return (word) => ({ word: [...word].map((char) => (isResolved(char) ? char : '…')).join(''), reason })
}

type ReadPackage =
  | { readonly name: string; readonly reason?: undefined }
  | { readonly name?: undefined; readonly reason: string }

/** Debian's grammar of a name, after which a version, a release or an architecture may stand. */
function readPackage(word: string): ReadPackage {
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
