import { type RustToken, rustTokens } from './tokens.ts'

/** An item of a module: a function, module, macro call and so on, with its attributes and doc comments. */
export interface RustItem {
  readonly start: number
  readonly end: number
  /** Texts between `#[` and `]`. */
  readonly attributes: readonly string[]
  /** `mod`, `fn`, `use`, `impl`, …; `macro` for a call of one. */
  readonly kind: string
  readonly name: string
  readonly visible: boolean
  /** What stands in the last braces, if it ends with them. */
  readonly body: { readonly start: number; readonly end: number } | undefined
  /** Its words and marks without attributes and comments, one blank between two, up to the body. */
  readonly head: string
}

const OPEN = new Set(['(', '[', '{'])
const CLOSE = new Set([')', ']', '}'])
/** Items that braces do not end. */
const TO_SEMICOLON = new Set(['use', 'const', 'static', 'type', 'let'])
const FUNCTION_WORDS = new Set(['fn', 'unsafe', 'async', 'extern'])

export function rustItems(text: string): readonly RustItem[] {
  return itemsOf(text, rustTokens(text))
}

/** The items inside the braces of one. */
export function bodyItems(text: string, item: RustItem): readonly RustItem[] {
  if (!item.body) return []
  const { start, end } = item.body
  const tokens = rustTokens(text.slice(start, end))
  return itemsOf(
    text,
    tokens.map((token) => ({ ...token, start: token.start + start, end: token.end + start })),
  )
}

function itemsOf(text: string, tokens: readonly RustToken[]): RustItem[] {
  const items: RustItem[] = []
  const of = (at: number) => text.slice(tokens[at]!.start, tokens[at]!.end)
  for (let at = 0; at < tokens.length; ) {
    if (of(at) === '#' && tokens[at + 2] && of(at + 1) === '!' && of(at + 2) === '[') {
      at = after(at + 2)
      continue
    }
    const first = at
    const attributes: string[] = []
    for (; at < tokens.length; ) {
      if (tokens[at]!.kind === 'doc') at++
      else if (of(at) === '#' && tokens[at + 1] && of(at + 1) === '[') {
        const end = after(at + 1)
        attributes.push(words(at + 2, end - 1))
        at = end
      } else break
    }
    const head = at
    const end = itemEnd(head)
    if (end > head) items.push(item(first, head, end, attributes))
    at = Math.max(end, first + 1)
  }
  return items

  /** The token after the bracket that closes the one at `at`. */
  function after(at: number): number {
    let depth = 0
    for (let i = at; i < tokens.length; i++) {
      if (tokens[i]!.kind !== 'mark') continue
      if (OPEN.has(of(i))) depth++
      else if (CLOSE.has(of(i)) && --depth <= 0) return i + 1
    }
    return tokens.length
  }

  function itemEnd(head: number): number {
    let keyword = head
    while (keyword < tokens.length && ['pub', 'crate', 'default'].includes(of(keyword))) {
      keyword++
      if (keyword < tokens.length && of(keyword) === '(') keyword = after(keyword)
    }
    const next = keyword + 1 < tokens.length ? of(keyword + 1) : ''
    const toSemicolon = keyword < tokens.length && TO_SEMICOLON.has(of(keyword)) && !FUNCTION_WORDS.has(next)
    for (let i = head; i < tokens.length; ) {
      if (tokens[i]!.kind !== 'mark') i++
      else if (of(i) === ';') return i + 1
      else if (OPEN.has(of(i))) {
        const end = after(i)
        const brace = of(i) === '{' && !toSemicolon
        i = end
        if (brace && !(end < tokens.length && ['>', ','].includes(of(end)))) return end
      } else if (CLOSE.has(of(i))) return i + 1
      else i++
    }
    return tokens.length
  }

  function words(from: number, to: number): string {
    const parts: string[] = []
    for (let i = from; i < to; i++) if (tokens[i]!.kind !== 'doc') parts.push(of(i))
    return parts.join(' ')
  }

  function item(first: number, head: number, end: number, attributes: readonly string[]): RustItem {
    const open = bodyOpen(head, end)
    const text = words(head, open ?? end)
    const { kind, name } = kindOf(text)
    const body = open === undefined ? undefined : { start: tokens[open]!.end, end: tokens[end - 1]!.start }
    const visible = /^pub\b/.test(text)
    return { start: tokens[first]!.start, end: tokens[end - 1]!.end, attributes, kind, name, visible, body, head: text }
  }

  function bodyOpen(head: number, end: number): number | undefined {
    if (of(end - 1) !== '}') return undefined
    let depth = 0
    for (let i = end - 1; i >= head; i--) {
      if (tokens[i]!.kind !== 'mark') continue
      if (CLOSE.has(of(i))) depth++
      else if (OPEN.has(of(i)) && --depth === 0) return i
    }
    return undefined
  }
}

const KEYWORD =
  /(?:^| )(fn|mod|use|impl|trait|struct|enum|union|macro_rules !|macro|type|static|const|extern)(?: (r#[^ ]+|[\w\x80-\uffff]+))?/

function kindOf(head: string): { kind: string; name: string } {
  const call = /^(?:[\w\x80-\uffff#]+ : : )*([\w\x80-\uffff#]+) !(?: |$)/.exec(head)
  if (call && call[1] !== 'macro_rules') return { kind: 'macro', name: call[1]! }
  const found = KEYWORD.exec(head.replace(/\b(?:const|extern(?: "[^"]*")?)(?= (?:unsafe|async|extern|fn)\b)/g, ''))
  return { kind: found?.[1]?.split(' ')[0] ?? '', name: found?.[2] ?? '' }
}
