import { type Glob, matches, parseGlob } from './glob.ts'

/** The rules of one file in gitignore syntax, which apply below `folder` (empty, or ending in a slash). */
export interface IgnoreRules {
  readonly folder: string
  readonly rules: readonly IgnoreRule[]
}

interface IgnoreRule {
  readonly glob: Glob
  readonly keep: boolean
  readonly foldersOnly: boolean
}

/** Longer ones name no path. */
const LONGEST_LINE = 4096

export function parseIgnoreRules(folder: string, text: string): IgnoreRules {
  const written = text.split(/\r?\n/).filter((line) => line.length <= LONGEST_LINE)
  const lines = written.map((line) => line.replace(/(?<!\\)[ \t]+$/, ''))
  return { folder, rules: lines.filter((line) => line !== '' && !line.startsWith('#')).map(parseRule) }
}

/** Whether a file is left out, by a rule for itself or for a folder above it; the last rule that matches decides. */
export function isIgnored(path: string, files: readonly IgnoreRules[]): boolean {
  const parts = path.split('/')
  for (let length = 1; length <= parts.length; length++) {
    const isFolder = length < parts.length
    if (verdict(parts.slice(0, length).join('/'), isFolder, files)) return true
  }
  return false
}

function verdict(path: string, isFolder: boolean, files: readonly IgnoreRules[]): boolean {
  let ignored = false
  for (const { folder, rules } of files) {
    if (!path.startsWith(folder)) continue
    const inner = path.slice(folder.length)
    for (const rule of rules) if ((isFolder || !rule.foldersOnly) && matches(rule.glob, inner)) ignored = !rule.keep
  }
  return ignored
}

function parseRule(line: string): IgnoreRule {
  const keep = line.startsWith('!')
  const body = line.slice(keep ? 1 : 0).replace(/^\\([#!])/, '$1')
  const foldersOnly = body.endsWith('/')
  const text = foldersOnly ? body.slice(0, -1) : body
  return { keep, foldersOnly, glob: parseGlob(text.includes('/') ? text.replace(/^\//, '') : `**/${text}`) }
}
