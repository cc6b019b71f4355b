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
    throw fileProblem('bad_json', { name, position: faultPosition(text, message), message: brief(message) })
  }
  // JSON is YAML: the YAML tree knows where each key stands.
  const counter = new LineCounter()
  return { values, positionOf: yamlPositions(parseDocument(text, { lineCounter: counter }), counter) }
}

function faultPosition(text: string, message: string): Position {
  const at = /at position (\d+)/.exec(message)
  return positionAt(text, at ? Number(at[1]) : text.length)
}

function brief(message: string): string {
  return message.replace(/ at position \d+.*$/s, '').replace(/, ".*" is not valid JSON$/s, '')
}
