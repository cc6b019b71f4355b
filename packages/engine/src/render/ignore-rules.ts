/** The rules of one file in gitignore syntax, which apply below `folder` (empty, or ending in a slash). */
export interface IgnoreRules {
  readonly folder: string
  readonly rules: readonly { readonly pattern: RegExp; readonly keep: boolean; readonly foldersOnly: boolean }[]
}

export function parseIgnoreRules(folder: string, text: string): IgnoreRules {
  const lines = text.split(/\r?\n/).map((line) => line.replace(/(?<!\\)[ \t]+$/, ''))
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
    for (const rule of rules) if ((isFolder || !rule.foldersOnly) && rule.pattern.test(inner)) ignored = !rule.keep
  }
  return ignored
}

function parseRule(line: string): IgnoreRules['rules'][number] {
  const keep = line.startsWith('!')
  const body = line.slice(keep ? 1 : 0).replace(/^\\([#!])/, '$1')
  const foldersOnly = body.endsWith('/')
  const glob = foldersOnly ? body.slice(0, -1) : body
  const anchored = glob.includes('/')
  const source = translate(glob.replace(/^\//, ''))
  return { keep, foldersOnly, pattern: compile(`^${anchored ? '' : '(?:.*/)?'}${source}$`) }
}

/** A pattern that is no valid class, or that could take a very long time, matches nothing. */
function compile(source: string): RegExp {
  if (source.split('*').length > 8) return /(?!)/
  try {
    return new RegExp(source, 's')
  } catch {
    return /(?!)/
  }
}

/** `**` crosses folders; `*`, `?` and a class do not. */
function translate(glob: string): string {
  return glob.replace(/\*\*\/|\/\*\*$|\*+|\?|\[!?\]?[^\]]*\]|\\.|./gs, (token) => {
    if (token === '**/') return '(?:.*/)?'
    if (token === '/**') return '/.*'
    if (token.startsWith('*')) return '[^/]*'
    if (token === '?') return '[^/]'
    if (token.startsWith('[') && token.length > 2) return token.replace(/^\[!/, '[^').replace(/\\(?!\])/g, '\\\\')
    return token.replace(/^\\(?=.)/, '').replace(/[.*+?^${}()|[\]\\/]/g, '\\$&')
  })
}
