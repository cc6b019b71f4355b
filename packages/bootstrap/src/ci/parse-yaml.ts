import type { YamlMap, YamlValue } from './yaml-value.ts'

export type ParseYaml = (text: string) => YamlValue | undefined

/** Aliases are copied, so that a few lines may stand for a billion values. */
const mostValues = 50_000
const mostText = 1024 * 1024
const deepest = 60

/** The tag by which GitLab takes a part of another job; its value is the path there. */
export const referenceKey = '!reference'

/** A parser of the first document of a text; it answers undefined for what is no YAML or more than a person would write. */
export async function openYamlParser(): Promise<ParseYaml> {
  const yaml = await import('yaml')
  return (text) => {
    try {
      const documents = yaml.parseAllDocuments(text, {
        uniqueKeys: false,
        prettyErrors: false,
        logLevel: 'silent',
        strict: false,
      })
      if (!Array.isArray(documents)) return undefined
      // A header that declares inputs stands before the configuration of GitLab.
      const isHeader = documents.length > 1 && yaml.isMap(documents[0]!.contents) && documents[0]!.has('spec')
      const document = documents[isHeader ? 1 : 0]
      return document === undefined || document.errors.length > 0 ? undefined : plainValue(yaml, document.contents)
    } catch (error) {
      // The library recurses as deep as the text does.
      if (error instanceof TooMuch || error instanceof RangeError) return undefined
      throw error
    }
  }
}

class TooMuch extends Error {}

function plainValue(yaml: typeof import('yaml'), root: unknown): YamlValue {
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

  return readNode(root, 0)
}
