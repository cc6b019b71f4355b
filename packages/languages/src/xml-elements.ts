/** An element of a build file. */
export interface XmlElement {
  readonly name: string
  /** Its own text without that of its children, trimmed. */
  readonly text: string
  readonly attributes: Readonly<Record<string, string>>
  readonly children: readonly XmlElement[]
}

interface Open {
  readonly name: string
  text: string
  readonly attributes: Readonly<Record<string, string>>
  readonly children: Open[]
}

const deepest = 200

/**
 * The document as a nameless element that holds its root. Forgiving, since a build file that cannot be read to its end
 * still says something: unknown entities stay, unclosed elements end with the text. Linear.
 */
export function parseXml(text: string): XmlElement {
  const document: Open = { name: '', text: '', attributes: {}, children: [] }
  const stack = [document]
  for (let at = 0; at < text.length; ) {
    const tag = text.indexOf('<', at)
    const top = stack.at(-1)!
    top.text += decode(text.slice(at, tag < 0 ? text.length : tag)).trim()
    if (tag < 0) break
    const special = skipped.find(({ from }) => text.startsWith(from, tag))
    const mark = special?.to ?? '>'
    const end = text.indexOf(mark, tag + (special?.from.length ?? 1))
    if (end < 0) break
    if (special?.from === '<![CDATA[') top.text += text.slice(tag + special.from.length, end)
    else if (!special) step(stack, text.slice(tag + 1, end))
    at = end + mark.length
  }
  return document
}

/** The first element on a path of names below another. */
export function elementAt(element: XmlElement, ...names: readonly string[]): XmlElement | undefined {
  let found: XmlElement | undefined = element
  for (const name of names) found = found?.children.find((child) => child.name === name)
  return found
}

/** An element and all below it. */
export function* allElements(element: XmlElement): Generator<XmlElement> {
  yield element
  for (const child of element.children) yield* allElements(child)
}

const skipped = [
  { from: '<!--', to: '-->' },
  { from: '<![CDATA[', to: ']]>' },
  { from: '<?', to: '?>' },
  { from: '<!', to: '>' },
]

function step(stack: Open[], tag: string): void {
  if (tag.startsWith('/')) {
    const name = tag.slice(1).trim()
    const at = stack.findLastIndex((open) => open.name === name)
    if (at > 0) stack.length = at
    return
  }
  const name = /^[^\s/]*/.exec(tag)![0]
  const element: Open = { name, text: '', attributes: attributesOf(tag), children: [] }
  stack.at(-1)!.children.push(element)
  if (!tag.endsWith('/') && stack.length < deepest) stack.push(element)
}

function attributesOf(tag: string): Readonly<Record<string, string>> {
  const pairs = [...tag.matchAll(/\s([\w:.-]+)\s*=\s*(?:"([^"]*)"|'([^']*)')/g)]
  return Object.fromEntries(pairs.map(([, name, double, single]) => [name, decode(double ?? single ?? '')]))
}

const entities: Readonly<Record<string, string>> = { lt: '<', gt: '>', quot: '"', apos: "'", amp: '&' }

function decode(text: string): string {
  return text.replace(/&(lt|gt|quot|apos|amp);/g, (_, name: string) => entities[name]!)
}
