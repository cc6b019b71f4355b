/**
 * PHP source with comments removed, but for the annotations that steer a test, and runs of blanks outside strings
 * reduced to one. Strings and here-documents stay.
 */
export function cleanPhpSource(source: string): string {
  const text = source.replace(/\r\n?/g, '\n')
  const parts: string[] = []
  for (let at = 0; at < text.length; ) {
    const char = text[at]!
    if (text.startsWith('/*', at)) {
      const end = after(text, '*/', at + 2)
      parts.push(annotations(text.slice(at, end)))
      at = end
    } else if (text.startsWith('//', at) || (char === '#' && text[at + 1] !== '[')) {
      at = after(text, '\n', at) - (text.indexOf('\n', at) < 0 ? 0 : 1)
    } else if (char === '"' || char === "'" || char === '`' || text.startsWith('<<<', at)) {
      const end = literalEnd(text, at)
      parts.push(text.slice(at, end))
      at = end
    } else if (/\s/.test(char)) {
      if (parts.at(-1) !== ' ') parts.push(' ')
      at += 1
    } else {
      parts.push(char)
      at += 1
    }
  }
  return parts.join('')
}

/** Annotations are kept as `/** … *\/`, so that a later pass knows them from code. */
function annotations(comment: string): string {
  const kept = comment.match(/@(?:test|dataProvider|depends|testWith|group|requires)\b[^@]*/g)
  if (!comment.startsWith('/**') || kept === null) return ' '
  const words = kept.map((text) =>
    text
      .replace(/\n\s*\*?|\*\/$/g, ' ')
      .replace(/\s+/g, ' ')
      .trim(),
  )
  return ` /** ${words.join(' ')} */ `
}

function after(text: string, mark: string, from: number): number {
  const at = text.indexOf(mark, from)
  return at < 0 ? text.length : at + mark.length
}

/** The index behind the string or here-document that begins at `at`. */
export function literalEnd(text: string, at: number): number {
  const quote = text[at]!
  if (quote === '<') {
    const label = /^<<<[ \t]*(["']?)([A-Za-z_]\w*)\1\n/.exec(text.slice(at, at + 200))
    if (!label) return at + 3
    const end = new RegExp(`\\n[ \\t]*${label[2]}\\b`, 'g')
    end.lastIndex = at + label[0].length - 1
    return end.exec(text) ? end.lastIndex : text.length
  }
  for (let i = at + 1; i < text.length; i++) {
    if (text[i] === '\\') i += 1
    else if (text[i] === quote) return i + 1
  }
  return text.length
}
