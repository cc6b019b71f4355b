import { LineCounter, parseDocument } from 'yaml'
import { fileProblem, type ParsedFile } from './parsed-file.ts'
import { type Position, positionAt } from './position.ts'
import { yamlPositions } from './yaml-file.ts'

/** @throws R2eError `bad_json` with line and column */
export function parseJson(text: string, name: string): ParsedFile {
  let values: unknown
  try {
    values = JSON.parse(text)
  } catch (error) {
    const { message } = error as Error
    throw fileProblem('bad_json', { name, position: faultPosition(text), message: brief(message) })
  }
  // JSON is YAML: the YAML tree knows where each key stands.
  const counter = new LineCounter()
  return { values, positionOf: yamlPositions(parseDocument(text, { lineCounter: counter }), counter) }
}

/** Not every message of the parser tells where: the fault ends the shortest beginning that no continuation can mend. */
function faultPosition(text: string): Position {
  let [mendable, broken] = [0, text.length + 1]
  while (broken - mendable > 1) {
    const middle = Math.floor((mendable + broken) / 2)
    if (isMendable(text.slice(0, middle))) mendable = middle
    else broken = middle
  }
  return positionAt(text, mendable)
}

function isMendable(beginning: string): boolean {
  try {
    JSON.parse(beginning)
    return true
  } catch (error) {
    const { message } = error as Error
    return message.startsWith('Unexpected end') || Number(/at position (\d+)/.exec(message)?.[1]) >= beginning.length
  }
}

function brief(message: string): string {
  return message.replace(/ at position \d+.*$/s, '').replace(/, ".*" is not valid JSON$/s, '')
}
