import { type Budget, spend, TooMuch } from './budget.ts'

/**
 * YAML as CI files use it: every scalar is its source text, for `3.10` is a version and not the number 3.1. Maps have no
 * prototype.
 */
export type YamlValue = string | null | readonly YamlValue[] | YamlMap

export interface YamlMap {
  readonly [key: string]: YamlValue
}

export function isMap(value: YamlValue | undefined): value is YamlMap {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

export function mapOf(value: YamlValue | undefined): YamlMap {
  return isMap(value) ? value : Object.create(null)
}

/** A list, or what stands in place of a list of one. */
export function listOf(value: YamlValue | undefined): readonly YamlValue[] {
  if (value === undefined || value === null) return []
  return Array.isArray(value) ? value : [value as YamlValue]
}

export function textOf(value: YamlValue | undefined): string | undefined {
  return typeof value === 'string' ? value : undefined
}

export function textsOf(value: YamlValue | undefined): string[] {
  return listOf(value).filter((entry) => typeof entry === 'string')
}

const mostEntries = 200

/** The entries of a map whose values are texts; no more than a person sets. */
export function textEntries(value: YamlValue | undefined): Record<string, string> {
  const entries = Object.entries(mapOf(value))
    .slice(0, mostEntries)
    .filter(([, entry]) => typeof entry === 'string' || entry === null)
  return Object.assign(Object.create(null), Object.fromEntries(entries.map(([key, entry]) => [key, entry ?? ''])))
}

export type ParseYaml = (text: string) => YamlValue | undefined

/** Aliases are copied, so that a few lines may stand for a billion values. */
const mostValues = 50_000
const mostText = 1024 * 1024
const deepest = 60
/** Above it the library is not asked: it recurses as deep as the text does. */
const deepestText = 400

/** The tag by which GitLab takes a part of another job; its value is the path there. */
export const referenceKey = '!reference'

/** A parser of the first document of a text; it answers undefined for what is no YAML or more than a person would write. */
export async function openYamlParser(budget: Budget): Promise<ParseYaml> {
  const yaml = await import('yaml')
  const known = new Map<string, YamlValue | undefined>()
  return (text) => {
    if (!known.has(text)) known.set(text, parse(text))
    return known.get(text)
  }

  function parse(text: string): YamlValue | undefined {
    if (isTooDeep(text)) return undefined
    const tokens = tokensOf(yaml, text)
    if (tokens === undefined) return undefined
    const documents = new yaml.Composer(options).compose(tokens)
    const first = documents.next().value
    // A header that declares inputs stands before the configuration of GitLab.
    const isHeader = first !== undefined && yaml.isMap(first.contents) && first.has('spec')
    const document = (isHeader ? documents.next().value : undefined) ?? first
    if (document === undefined || document.errors.length > 0) return undefined
    const read = plainValue(yaml, document.contents)
    spend(budget, { bytes: read.cost })
    return read.value
  }
}

const options = { uniqueKeys: false, prettyErrors: false, logLevel: 'silent', strict: false } as const

/** The tokens of a text, up to the first that is an error: to describe thousands of them takes long. */
function tokensOf(yaml: typeof import('yaml'), text: string): import('yaml').CST.Token[] | undefined {
  const tokens: import('yaml').CST.Token[] = []
  for (const token of new yaml.Parser().parse(text)) {
    if (token.type === 'error') return undefined
    tokens.push(token)
  }
  return tokens
}

/** Whether brackets stay open, or lines begin with blanks and dashes, as nobody writes them. A bound, not the depth itself. */
function isTooDeep(text: string): boolean {
  let open = 0
  let indicators = 0
  let isStart = true
  for (let at = 0; at < text.length; at++) {
    const char = text[at]!
    if (char === '[' || char === '{') open++
    else if (char === ']' || char === '}') open = Math.max(0, open - 1)
    isStart = char === '\n' || (isStart && ' \t\r-?:'.includes(char))
    indicators = isStart && char !== '\n' ? indicators + 1 : 0
    if (open > deepestText || indicators > deepestText) return true
  }
  return false
}

interface ReadValue {
  /** Undefined where it is more than a person would write. */
  readonly value: YamlValue | undefined
  readonly cost: number
}

function plainValue(yaml: typeof import('yaml'), root: unknown): ReadValue {
  // The library looks for the anchor of each alias through the whole document.
  const anchors = new Map<string, unknown>()
  let values = 0
  let characters = 0

  function readNode(node: unknown, depth: number): YamlValue {
    if (++values > mostValues || depth > deepest) throw new TooMuch()
    if (yaml.isAlias(node)) return readNode(anchors.get(node.source), depth + 1)
    if (yaml.isNode(node) && 'anchor' in node && node.anchor) anchors.set(node.anchor, node)
    if (yaml.isMap(node)) return mapFrom(node.items, depth)
    if (yaml.isSeq(node)) {
      const items = node.items.map((item) => readNode(item, depth + 1))
      return node.tag === referenceKey ? Object.assign(Object.create(null), { [referenceKey]: items }) : items
    }
    return yaml.isScalar(node) ? scalarText(node) : null
  }

  function scalarText(node: { value: unknown; type?: unknown; source?: string }): string | null {
    if (node.value === null) return null
    const text = node.type === 'PLAIN' ? (node.source ?? '') : String(node.value)
    characters += text.length
    if (characters > mostText) throw new TooMuch()
    return text
  }

  function mapFrom(pairs: readonly { key: unknown; value: unknown }[], depth: number): YamlMap {
    const own: Record<string, YamlValue> = Object.create(null)
    const merged: Record<string, YamlValue> = Object.create(null)
    for (const { key, value } of pairs) {
      const name = yaml.isScalar(key) ? scalarText(key) : null
      if (name === null) continue
      const read = readNode(value, depth + 1)
      if (name !== '<<') own[name] = read
      else for (const base of (Array.isArray(read) ? read : [read]).toReversed()) Object.assign(merged, base)
    }
    return Object.assign(merged, own)
  }

  const cost = () => characters + values * 32
  try {
    return { value: readNode(root, 0), cost: cost() }
  } catch (error) {
    if (error instanceof TooMuch) return { value: undefined, cost: cost() }
    throw error
  }
}
