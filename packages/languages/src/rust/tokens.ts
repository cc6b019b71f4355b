/** One token of Rust source. Blanks and plain comments are none; the doc comment of an item is, since it belongs to it. */
export interface RustToken {
  readonly kind: 'word' | 'literal' | 'doc' | 'mark'
  readonly start: number
  readonly end: number
}

const BLANKS = '[ \\t\\n\\v\\f\\r\\ufeff]+'
const WORD = '[A-Za-z0-9_\\x80-\\uffff]+'
const TOKEN = new RegExp(`(${BLANKS})|(//[^\\n]*)|(/\\*)|[bc]?r(#*)"|([bc]?")|(b?')|((?:r#)?${WORD})|[\\s\\S]`, 'y')
const DOC_LINE = /^\/\/\/(?!\/)/
const DOC_BLOCK = /^\/\*\*(?![*/])/

/** Every token, in order. An unclosed literal or comment reaches to the end. The grader's `rust.py` reads the same. */
export function rustTokens(text: string): readonly RustToken[] {
  const tokens: RustToken[] = []
  for (let start = 0; start < text.length; ) {
    TOKEN.lastIndex = start
    const found = TOKEN.exec(text)!
    const after = TOKEN.lastIndex
    const [piece, blanks, line, block, hashes, quote, tick, word] = found
    let end = after
    let kind: RustToken['kind'] | undefined = word === undefined ? 'mark' : 'word'
    if (blanks !== undefined) kind = undefined
    else if (line !== undefined) kind = DOC_LINE.test(piece) ? 'doc' : undefined
    else if (block !== undefined) {
      kind = DOC_BLOCK.test(text.slice(start, start + 4)) ? 'doc' : undefined
      end = commentEnd(text, after)
    } else if (hashes !== undefined) {
      kind = 'literal'
      end = closing(text, `"${hashes}`, after)
    } else if (quote !== undefined) {
      kind = 'literal'
      end = stringEnd(text, after)
    } else if (tick !== undefined) {
      end = tickEnd(text, after)
      kind = end > after ? 'literal' : 'mark'
    }
    if (kind) tokens.push({ kind, start, end })
    start = end
  }
  return tokens
}

function closing(text: string, mark: string, from: number): number {
  const end = text.indexOf(mark, from)
  return end < 0 ? text.length : end + mark.length
}

/** Block comments nest. */
function commentEnd(text: string, from: number): number {
  const bracket = /\/\*|\*\//g
  bracket.lastIndex = from
  for (let depth = 1; depth > 0; ) {
    const found = bracket.exec(text)
    if (!found) return text.length
    depth += found[0] === '/*' ? 1 : -1
  }
  return bracket.lastIndex
}

function stringEnd(text: string, from: number): number {
  for (let at = from; at < text.length; at++) {
    if (text[at] === '\\') at++
    else if (text[at] === '"') return at + 1
  }
  return text.length
}

/** After the closing quote of a character; a lifetime or label has none. */
function tickEnd(text: string, from: number): number {
  const match = /^(?:\\[\s\S][^'\n]{0,16}|[^'\\\n\ud800-\udfff]|[\ud800-\udbff][\udc00-\udfff])'/.exec(
    text.slice(from, from + 20),
  )
  return match ? from + match[0].length : from
}
