import type { FileRole, LanguagePack, PurgeRule } from '@r2e/spec'
import { parentsOf } from './edit-tree.ts'

/** The rules of several languages as one. */
export function mergePurge(packs: readonly LanguagePack[]): PurgeRule {
  const union = (pick: (rule: PurgeRule) => readonly string[]) =>
    [...new Set(packs.flatMap((pack) => pick(pack.purge)))].sort()
  return {
    names: union((rule) => rule.names),
    folders: union((rule) => rule.folders),
    skip: [...new Set(['.git', ...union((rule) => rule.skip)])].sort(),
  }
}

/** A base-name pattern: `*` any run, `?` one character; the rest is literal. Linear. */
export function matchesName(pattern: string, name: string): boolean {
  const parts = pattern.split('*')
  const first = parts.shift()!
  if (!matchesAt(first, name, 0)) return false
  if (parts.length === 0) return first.length === name.length
  const last = parts.pop()!
  let at = first.length
  for (const part of parts) {
    while (at + part.length <= name.length && !matchesAt(part, name, at)) at++
    if (at + part.length > name.length) return false
    at += part.length
  }
  return name.length - last.length >= at && matchesAt(last, name, name.length - last.length)
}

function matchesAt(part: string, name: string, at: number): boolean {
  if (at + part.length > name.length) return false
  for (let i = 0; i < part.length; i++) if (part[i] !== '?' && part[i] !== name[at + i]) return false
  return true
}

/**
 * The outermost folders that hold tests alone: every file below is a test, and a new file there would be one too, so
 * that no honest source file can be lost.
 */
export function purgeFolders(paths: Iterable<string>, role: (path: string) => FileRole): string[] {
  const pure = new Map<string, boolean>()
  for (const path of paths)
    for (const folder of parentsOf(path))
      pure.set(folder, (pure.get(folder) ?? role(`${folder}/r2e-new-file`) === 'test') && role(path) === 'test')
  const folders = [...pure].filter(([, holdsTestsAlone]) => holdsTestsAlone).map(([folder]) => folder)
  return folders.filter((folder) => !parentsOf(folder).some((parent) => pure.get(parent))).sort()
}
