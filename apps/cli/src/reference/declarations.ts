/** An exported declaration of a source file, as it is written. */
export interface Declaration {
  readonly name: string
  readonly kind: 'interface' | 'type' | 'function' | 'const' | 'class'
  /** The comment above it without its marks; empty where there is none. */
  readonly comment: string
  /** Comment and declaration; of functions, constants and classes the head alone, without `export`. */
  readonly text: string
}

const HEAD = /^export (?:async )?(interface|type|function|const|class)\*? (\w+)/

/** The exported declarations of a formatted source text, in order. */
export function readDeclarations(source: string): readonly Declaration[] {
  const lines = source.split('\n')
  return lines.flatMap((line, at) => {
    const [, kind, name] = HEAD.exec(line) ?? []
    if (kind === undefined || name === undefined) return []
    const comment = lines.slice(commentStart(lines, at), at)
    const found = declared(kind as Declaration['kind'], lines.slice(at))
    const text = [...comment, found].join('\n').replaceAll(/^\s*\/\/ biome-ignore .*\n/gm, '')
    return [{ name, kind: kind as Declaration['kind'], comment: bare(comment), text }]
  })
}

/** The first sentence of a comment, and what it says about errors. */
export function meaningOf({ comment }: Declaration): string {
  const [text = '', ...tags] = comment.split(/\s*@(?=throws\b)/)
  const [first = ''] = text.split(/(?<=\.)\s+(?=[A-Z`])/)
  return [first, ...tags.map((tag) => tag.replace(/^throws/, 'Throws'))].filter(Boolean).join(' ')
}

function declared(kind: Declaration['kind'], lines: readonly string[]): string {
  if (kind === 'interface') return lines.slice(0, lines.indexOf('}') + 1).join('\n')
  if (kind === 'type') return lines.slice(0, 1 + lines.slice(1).findIndex((line) => !/^\s+\S/.test(line))).join('\n')
  if (kind === 'const') return bareHead(lines[0]!)
  const end = lines.findIndex((line) => line.endsWith(' {'))
  return bareHead(
    lines
      .slice(0, end + 1)
      .join(' ')
      .replaceAll(/\s+/g, ' '),
  )
}

function bareHead(line: string): string {
  return line
    .replace(/^export (async )?/, '')
    .replace(/ \{$| =$| = [[{(]$/, '')
    .replaceAll(/\( /g, '(')
    .replaceAll(/,? \)/g, ')')
}

function commentStart(lines: readonly string[], at: number): number {
  if (!lines[at - 1]?.endsWith('*/')) return at
  let start = at - 1
  while (start > 0 && !lines[start]!.startsWith('/**')) start--
  return start
}

function bare(comment: readonly string[]): string {
  return comment
    .map((line) => line.replace(/^\/\*\*|\*\/$|^ \*(?!\/)/g, '').trim())
    .join(' ')
    .replaceAll(/\{@link (\w+)\}/g, '`$1`')
    .replaceAll(/\s+/g, ' ')
    .replace(/ ?\*\/$/, '')
    .trim()
}
