import { type R2eError, userError } from '@r2e/spec'
import type { Position, PositionOf } from './position.ts'

export interface ParsedFile {
  readonly values: unknown
  readonly positionOf: PositionOf
}

export interface FileFault {
  readonly name: string
  readonly position: Position | undefined
  readonly message: string
}

/** The error of a configuration file that cannot be parsed: `file:line:column: message`. */
export function fileProblem(code: string, fault: FileFault): R2eError {
  const { name, position, message } = fault
  const where = position ? `${name}:${position.line}:${position.column}` : name
  const [line = ''] = message.split('\n')
  return userError(code, `${where}: ${line.trim()}`, { fix: 'mend the file at this place' })
}
