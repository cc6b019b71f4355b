import { type Document, isAlias, isMap, isScalar, isSeq, LineCounter, type ParsedNode, parseDocument } from 'yaml'
import { fileProblem, type ParsedFile } from './parsed-file.ts'
import type { PositionOf } from './position.ts'

/** @throws R2eError `bad_yaml` with line and column */
export function parseYaml(text: string, name: string): ParsedFile {
  const counter = new LineCounter()
  const document = parseDocument(text, { lineCounter: counter, prettyErrors: false })
  const [fault] = [...document.errors, ...document.warnings].sort((a, b) => a.pos[0] - b.pos[0])
  if (fault) {
    const { line, col } = counter.linePos(fault.pos[0])
    throw fileProblem('bad_yaml', { name, position: { line, column: col }, message: fault.message })
  }
  try {
    return { values: document.toJS(), positionOf: yamlPositions(document, counter) }
  } catch (error) {
    // an alias bomb, or an alias without its anchor
    throw fileProblem('bad_yaml', { name, position: undefined, message: (error as Error).message })
  }
}

export function yamlPositions(document: Document.Parsed, counter: LineCounter): PositionOf {
  return (path) => {
    let node: ParsedNode | null | undefined = document.contents
    let offset: number | undefined
    for (const segment of path) {
      const target: unknown = isAlias(node) ? node.resolve(document) : node
      if (isMap<ParsedNode, ParsedNode | null>(target)) {
        const pair = target.items.find(({ key }) => isScalar(key) && String(key.value) === segment)
        if (!pair) break
        offset = pair.key.range[0]
        node = pair.value
      } else if (isSeq<ParsedNode>(target)) {
        node = target.items[Number(segment)]
        offset = node?.range[0] ?? offset
      } else break
    }
    if (offset === undefined) return undefined
    const { line, col } = counter.linePos(offset)
    return { line, column: col }
  }
}
