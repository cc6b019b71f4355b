import { SaxesParser } from 'saxes'

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
  const parser = new SaxesParser()
  let failure: string | undefined
  const stop = (message: string) => {
    failure ??= message
    throw new Error(message)
  }
  let depth = 0
  const names = new Set<string>()
  const check = (name: string) => {
    if (names.has(name)) return
    if (!NAME.test(name)) stop(`the XML has the name ${JSON.stringify(name.slice(0, 40))}`)
    names.add(name)
  }
  parser.on('error', (error) => stop(`the XML is not well-formed: ${error.message}`))
  parser.on('doctype', () => stop('the XML has a document type'))
  parser.on('opentag', ({ name, attributes }) => {
    if (++depth > MAX_DEPTH) stop('the XML is nested too deeply')
    check(name)
    for (const attribute in attributes) check(attribute)
    visitor.open(name, attributes)
  })
  parser.on('closetag', ({ name }) => {
    depth--
    visitor.close(name)
  })
  if (visitor.text) for (const kind of ['text', 'cdata'] as const) parser.on(kind, (part) => visitor.text!(part))
  try {
    for (let at = start + declaration(text, start); at < text.length; at += STEP) {
      parser.write(text.slice(at, at + STEP).replace(ILLEGAL, '\ufffd'))
      yield
    }
    parser.close()
  } catch (error) {
    if (failure === undefined) throw error
  }
  return failure
}

const MAX_DEPTH = 100
/** All that a runner writes; parsers differ in which others they take. */
const NAME = /^[A-Za-z_:][\w:.-]*$/
const STEP = 65_536

/** Characters that XML forbids, as a careless writer passes them on. */
const ILLEGAL = /[\x00-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]/g

/** Length of an XML declaration: its version and encoding say nothing about text that is decoded already. */
function declaration(text: string, start: number): number {
  if (!text.startsWith('<?xml', start)) return 0
  const end = text.indexOf('?>', start)
  return end < 0 ? 0 : end + 2 - start
}
