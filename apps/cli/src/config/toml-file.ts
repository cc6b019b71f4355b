import { parse, TomlDate, TomlError } from 'smol-toml'
import { fileProblem, type ParsedFile } from './parsed-file.ts'
import { tomlPositions } from './toml-positions.ts'

/** @throws R2eError `bad_toml` with line and column */
export function parseToml(text: string, name: string): ParsedFile {
  try {
    return { values: withoutDates(parse(text)), positionOf: tomlPositions(text) }
  } catch (error) {
    if (!(error instanceof TomlError)) throw error
    const message = error.message.replace(/^Invalid TOML document: /, '')
    throw fileProblem('bad_toml', { name, position: { line: error.line, column: error.column }, message })
  }
}

/** A date is its text, as it is in YAML and JSON. */
function withoutDates(value: unknown): unknown {
  if (value instanceof TomlDate) return value.toISOString()
  if (Array.isArray(value)) return value.map(withoutDates)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, withoutDates(inner)]))
}
