import type { Manifests } from '../manifests.ts'
import type { BuildFiles } from './build-files.ts'

export function isMakeFile(name: string): boolean {
  return /^(?:configure\.(?:ac|in)|Makefile\.am|(?:GNU)?[Mm]akefile)$/.test(name)
}

export interface MakeProject {
  readonly autotools: boolean
  /** What runs the tests. */
  readonly target: string
}

/** A project of autotools with tests, or a Makefile at the root that has a target for them. */
export function makeProject({ texts, whole }: BuildFiles, manifests: Manifests): MakeProject | undefined {
  const autotools = ['configure.ac', 'configure.in', 'configure'].some(manifests.has)
  if (autotools && /^[ \t]*(?:TESTS|check_PROGRAMS|check[-_\w]*)[ \t]*(?:\+?=|:)/m.test(whole))
    return { autotools, target: 'check' }
  for (const name of ['GNUmakefile', 'makefile', 'Makefile']) {
    const target = /^(check|tests?)[ \t]*::?(?!=)/m.exec(texts.get(name) ?? '')?.[1]
    if (target !== undefined) return { autotools, target }
  }
  return undefined
}

export function makeNeeds({ whole }: BuildFiles): string[] {
  const modules = [...whole.matchAll(/\bPKG_CHECK_MODULES\s*\(\s*\[?\w+\]?\s*,\s*\[?([^,\]\n)]*)/g)].flatMap((match) =>
    match[1]!.split(/\s+/),
  )
  const libraries = [
    ...whole.matchAll(/\bAC_(?:CHECK_LIB|SEARCH_LIBS)\s*\(\s*\[?([\w.+-]+)(?:[^,()]*,\s*\[?([\w.+-]+))?/g),
  ].flatMap((match) => [LIBRARIES[match[1]!], LIBRARIES[match[2] ?? '']].filter((name) => name !== undefined))
  const linked = [...whole.matchAll(/(?:^|\s)-l([\w+-]+)/g)]
    .map((match) => LIBRARIES[match[1]!])
    .filter((name) => name !== undefined)
  return [...new Set([...modules, ...libraries, ...linked])]
}

/** What a linker calls otherwise than pkg-config. */
const LIBRARIES: Readonly<Record<string, string>> = Object.assign(Object.create(null), {
  bz2: 'bzip2',
  check: 'check',
  cmocka: 'cmocka',
  crypto: 'openssl',
  cunit: 'cunit',
  curl: 'curl',
  event: 'libevent',
  expat: 'expat',
  gtest: 'gtest',
  lzma: 'liblzma',
  ncurses: 'ncurses',
  readline: 'readline',
  sqlite3: 'sqlite3',
  ssl: 'openssl',
  z: 'zlib',
  zstd: 'zstd',
})
