import type { Manifests } from '../manifests.ts'
import { baseName, folderOf } from '../path.ts'
import { isCode, isForeign, isTestPath } from './roles.ts'

/** The build descriptions of a tree, without comments; those of code of other people left out. */
export interface BuildFiles {
  /** By path, the shallowest first. */
  readonly texts: ReadonlyMap<string, string>
  /** All of them as one. */
  readonly whole: string
}

/** What is quoted stays. */
const comment = /("(?:[^"\\]|\\[\s\S])*"|'(?:[^'\\\n]|\\.)*')|#[^\n]*/g

/** More are not read: a tree with so many is not built in minutes. */
const most = 500

export async function readBuildFiles(manifests: Manifests, wanted: (name: string) => boolean): Promise<BuildFiles> {
  const paths = manifests.paths
    .filter((path) => wanted(baseName(path)) && !isForeign(path))
    .sort((a, b) => depth(a) - depth(b) || (a < b ? -1 : 1))
    .slice(0, most)
  const texts = new Map<string, string>()
  for (const path of paths) {
    const text = await manifests.read(path)
    if (text !== undefined) texts.set(path, text.replace(comment, '$1'))
  }
  return { texts, whole: [...texts.values()].join('\n') }
}

/** The shallowest folder whose description fits. */
export function shallowest({ texts }: BuildFiles, name: string, pattern: RegExp): string | undefined {
  for (const [path, text] of texts) if (baseName(path) === name && pattern.test(text)) return folderOf(path)
  return undefined
}

/** As CMake, Meson and autoconf are told. */
export function projectNames({ whole }: BuildFiles): string[] {
  const declared = whole.matchAll(/\b(?:project|AC_INIT)\s*\(\s*[['"]*([\w+.-]+)/g)
  return [...declared].map((match) => match[1]!)
}

/** Test libraries that test files include: a build may use them without naming them. */
export async function includedLibraries(manifests: Manifests): Promise<string[]> {
  const paths = manifests.paths.filter((path) => isCode(path) && isTestPath(path) && !isForeign(path)).slice(0, most)
  const found = new Set<string>()
  for (const text of (await manifests.peek(paths)).values())
    for (const match of text.matchAll(
      /^[ \t]*#[ \t]*include[ \t]*<(gtest|gmock|catch2|doctest|benchmark|boost|cmocka|check|CUnit|cppunit)[/.]/gm,
    ))
      found.add(match[1]!)
  return [...found]
}

function depth(path: string): number {
  return path.split('/').length
}
