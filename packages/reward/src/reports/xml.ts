export type Attributes = Readonly<Record<string, string>>

export interface XmlVisitor {
  open(name: string, attributes: Attributes): void
  close(name: string): void
  /** A part of the text between tags. */
  text?(part: string): void
}

/**
 * Shows the elements of a document to a visitor; the answer is why the document cannot be read, or undefined. Text before
 * `root` is cut; a document type, a truncated or interleaved document is an error.
 */
export function visitXml(text: string, root: RegExp, visitor: XmlVisitor): string | undefined {
  const walk = walkXml(text, root, visitor)
  for (;;) {
    const step = walk.next()
    if (step.done) return step.value
  }
}

/** The same in steps, so that what was visited can be used and forgotten before all is. */
export function* walkXml(text: string, root: RegExp, visitor: XmlVisitor): Generator<void, string | undefined> {
  const start = text.search(root)
  if (start < 0) return text.trim() === '' ? 'the report is empty' : 'the report holds no XML document'
  // Characters that XML forbids, as a careless writer passes them on.
  const legal = ILLEGAL.test(text) ? text.replace(ILLEGAL_RUNS, (run) => '\ufffd'.repeat(run.length)) : text
  const document = new XmlDocument(legal, afterDeclaration(text, start), visitor)
  try {
    while (document.step(STEP)) yield
    return undefined
  } catch (error) {
    if (error instanceof XmlError) return error.message
    throw error
  }
}

const ILLEGAL = /[\x00-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]/
const ILLEGAL_RUNS = new RegExp(`${ILLEGAL.source}+`, 'g')
const STEP = 65_536
const MAX_DEPTH = 100

/** Where a document goes on after its declaration, whose version and encoding say nothing about decoded text. */
function afterDeclaration(text: string, start: number): number {
  const end = text.startsWith('<?xml', start) ? text.indexOf('?>', start) : -1
  const next = end < 0 ? start : end + 2
  return text[next] === '\ufeff' ? next + 1 : next
}

class XmlError extends Error {}

/**
 * XML 1.0 without document types (https://www.w3.org/TR/xml/), as strict as the parser behind `grade.py`. Names are those
 * that a runner writes; parsers differ in which others they take. A class, since one cursor that every rule moves is what
 * makes it fast: values are slices of one text.
 */
class XmlDocument {
  readonly #text: string
  readonly #visitor: XmlVisitor
  readonly #open: string[] = []
  #at: number
  #hasRoot = false

  constructor(text: string, start: number, visitor: XmlVisitor) {
    this.#text = text
    this.#at = start
    this.#visitor = visitor
  }

  /** Reads this many characters or a little more; false at the end. */
  step(length: number): boolean {
    const end = this.#at + length
    while (this.#at < end) {
      if (this.#at < this.#text.length) this.#readOne()
      else if (this.#open.length > 0 || !this.#hasRoot) throw malformed('the document ends too early')
      else return false
    }
    return true
  }

  #readOne(): void {
    const text = this.#text
    const next = text.charCodeAt(this.#at + 1)
    if (text.charCodeAt(this.#at) !== LESS) this.#readText()
    else if (next === SLASH) this.#readEndTag()
    else if (next === QUESTION) this.#readInstruction()
    else if (next === EXCLAMATION) this.#readDeclared()
    else this.#readStartTag()
  }

  #readText(): void {
    const tag = this.#text.indexOf('<', this.#at)
    const end = tag < 0 ? this.#text.length : tag
    const part = this.#text.slice(this.#at, end)
    this.#at = end
    if (this.#open.length === 0) {
      if (/[^ \t\r\n]/.test(part)) throw malformed('there is text outside of the root element')
      return
    }
    if (part.includes(']]>')) throw malformed('there is ]]> in a text')
    const plain = expand(linesOf(part))
    this.#visitor.text?.(plain)
  }

  #readStartTag(): void {
    const text = this.#text
    const attributes: Record<string, string> = {}
    this.#at++
    const name = this.#readName()
    for (;;) {
      const before = this.#at
      this.#skipBlanks()
      const next = text.charCodeAt(this.#at)
      if (next === GREATER || next === SLASH) break
      if (this.#at === before) throw malformed('there is no blank before an attribute')
      const attribute = this.#readName()
      if (Object.hasOwn(attributes, attribute)) throw malformed(`the attribute ${attribute} comes twice`)
      const value = this.#readValue()
      // a plain object is faster than one without a prototype, and knows this one name
      if (attribute === '__proto__') Object.defineProperty(attributes, attribute, { value, enumerable: true })
      else attributes[attribute] = value
    }
    const empty = text.charCodeAt(this.#at) === SLASH
    if (empty) this.#at++
    if (text.charCodeAt(this.#at) !== GREATER) throw malformed('a tag does not end')
    this.#at++
    this.#enter(name)
    this.#visitor.open(name, attributes)
    if (empty) this.#leave(name)
  }

  #enter(name: string): void {
    if (this.#open.length === 0 && this.#hasRoot) throw malformed('there is a second root element')
    if (this.#open.length === MAX_DEPTH) throw new XmlError('the XML is nested too deeply')
    this.#hasRoot = true
    this.#open.push(name)
  }

  #leave(name: string): void {
    if (this.#open.pop() !== name) throw malformed(`</${name}> closes another element`)
    this.#visitor.close(name)
  }

  #readEndTag(): void {
    this.#at += 2
    const name = this.#readName()
    this.#skipBlanks()
    if (this.#text.charCodeAt(this.#at) !== GREATER) throw malformed('a tag does not end')
    this.#at++
    this.#leave(name)
  }

  #readName(): string {
    const text = this.#text
    const start = this.#at
    let end = start
    for (let code = text.charCodeAt(end); IN_NAME[code] === 1; code = text.charCodeAt(end)) end++
    const first = text.charCodeAt(start)
    const whole = !(text.charCodeAt(end) > 127)
    if (end === start || !whole || first === MINUS || first === DOT || (first >= ZERO && first <= NINE))
      throw new XmlError(
        `the XML has the name ${JSON.stringify(text.slice(start, Math.max(end, start + 1)).slice(0, 40))}`,
      )
    this.#at = end
    return text.slice(start, end)
  }

  #readValue(): string {
    const text = this.#text
    this.#skipBlanks()
    if (text.charCodeAt(this.#at) !== EQUALS) throw malformed('an attribute has no value')
    this.#at++
    this.#skipBlanks()
    const quote = text.charCodeAt(this.#at)
    if (quote !== QUOTE && quote !== APOSTROPHE) throw malformed('a value has no quotes')
    const start = this.#at + 1
    const end = text.indexOf(quote === QUOTE ? '"' : "'", start)
    if (end < 0) throw malformed('a value does not end')
    this.#at = end + 1
    const value = text.slice(start, end)
    if (!/[<&\t\r\n]/.test(value)) return value
    if (value.includes('<')) throw malformed('there is < in a value')
    return expand(value.replaceAll('\r\n', ' ').replace(/[\t\r\n]/g, ' '))
  }

  #skipBlanks(): void {
    let code = this.#text.charCodeAt(this.#at)
    while (code === 0x20 || code === 0x0a || code === 0x0d || code === 0x09) code = this.#text.charCodeAt(++this.#at)
  }

  #readInstruction(): void {
    this.#at += 2
    if (this.#readName().toLowerCase() === 'xml') throw malformed('there is a second declaration')
    const blank = /[ \t\r\n]/.test(this.#text[this.#at] ?? '')
    const end = blank ? this.#text.indexOf('?>', this.#at) : this.#at
    if (end < 0 || !this.#text.startsWith('?>', end)) throw malformed('an instruction does not end')
    this.#at = end + 2
  }

  /** A comment, or text as it stands. */
  #readDeclared(): void {
    const text = this.#text
    if (text.startsWith('<!--', this.#at)) {
      const end = text.indexOf('--', this.#at + 4)
      if (end < 0 || text.charCodeAt(end + 2) !== GREATER) throw malformed('a comment does not end')
      this.#at = end + 3
    } else if (text.startsWith('<![CDATA[', this.#at) && this.#open.length > 0) {
      const end = text.indexOf(']]>', this.#at + 9)
      if (end < 0) throw malformed('a CDATA section does not end')
      this.#visitor.text?.(linesOf(text.slice(this.#at + 9, end)))
      this.#at = end + 3
    } else
      throw text.startsWith('<!DOCTYPE', this.#at)
        ? new XmlError('the XML has a document type')
        : malformed('there is an unknown declaration')
  }
}

const [LESS, GREATER, SLASH, QUESTION, EXCLAMATION, EQUALS] = [0x3c, 0x3e, 0x2f, 0x3f, 0x21, 0x3d]
const [QUOTE, APOSTROPHE, MINUS, DOT, ZERO, NINE] = [0x22, 0x27, 0x2d, 0x2e, 0x30, 0x39]
const IN_NAME = Uint8Array.from({ length: 128 }, (_, code) => (/[\w:.-]/.test(String.fromCharCode(code)) ? 1 : 0))

const malformed = (what: string) => new XmlError(`the XML is not well-formed: ${what}`)

const linesOf = (text: string) => (text.includes('\r') ? text.replaceAll('\r\n', '\n').replaceAll('\r', '\n') : text)

/** A text with its references replaced; only what XML itself defines is known. */
function expand(text: string): string {
  let at = text.indexOf('&')
  if (at < 0) return text
  const parts: string[] = []
  let from = 0
  for (; at >= 0; at = text.indexOf('&', from)) {
    const end = text.indexOf(';', at)
    const value = end < 0 ? undefined : characterOf(text.slice(at + 1, end))
    if (value === undefined) throw malformed(`${JSON.stringify(text.slice(at, at + 20))} refers to nothing`)
    if (at > from) parts.push(text.slice(from, at))
    parts.push(value)
    from = end + 1
  }
  parts.push(text.slice(from))
  return parts.join('')
}

const ENTITIES: ReadonlyMap<string, string> = new Map([
  ['lt', '<'],
  ['gt', '>'],
  ['amp', '&'],
  ['apos', "'"],
  ['quot', '"'],
])

function characterOf(name: string): string | undefined {
  if (name[0] !== '#') return ENTITIES.get(name)
  const digits = name[1] === 'x' ? /^#x[0-9a-f]+$/i : /^#[0-9]+$/
  const code = digits.test(name) ? Number(`0${name.slice(1)}`) : Number.NaN
  if (!(code <= 0x10_ffff) || (code >= 0xd800 && code <= 0xdfff)) return undefined
  const char = String.fromCodePoint(code)
  return ILLEGAL.test(char) ? undefined : char
}
