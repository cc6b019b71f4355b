import { isR2eError, R2eError, userError } from '@r2e/spec'
import { jsonLine } from './output/json-line.ts'
import type { Output } from './output/output.ts'
import { printable } from './output/printable.ts'

/** Whatever was thrown, as the one kind of error that is shown. */
export function asR2eError(error: unknown): R2eError {
  if (isR2eError(error)) return error
  const system = error as NodeJS.ErrnoException | undefined
  if (
    system?.path !== undefined &&
    ['EACCES', 'EPERM', 'EROFS', 'ENOTDIR', 'EISDIR', 'ELOOP'].includes(system.code ?? '')
  ) {
    return userError('not_permitted', `${system.path}: ${system.code}`, { fix: 'choose another folder', cause: error })
  }
  if (system?.code === 'ENOSPC' || system?.code === 'EDQUOT') {
    return new R2eError('disk_full', 'transient', `the disk is full: ${system.message}`, {
      fix: 'make room, then --resume',
      cause: error,
    })
  }
  const message = error instanceof Error ? error.message : String(error)
  return new R2eError('internal_error', 'bug', message, {
    fix: 'run again with --verbose and report the trace',
    cause: error,
  })
}

/** `code: message` and the fix; with `--json` one object on standard output. A trace only with `--verbose`. */
export function writeError(error: R2eError, output: Output): void {
  const { code, message, fault, fix, details } = error
  if (output.json) output.result(jsonLine({ code, message, fault, fix, details }))
  const others = (details.problems ?? []) as readonly { code: string; message: string; fix?: string }[]
  for (const problem of [{ code, message, fix }, ...others]) {
    output.warn(`${problem.code}: ${printable(problem.message)}`)
    if (problem.fix) output.warn(`  fix: ${printable(problem.fix)}`)
  }
  if (output.verbose) for (const trace of traces(error)) output.warn(trace)
}

function traces(error: unknown): readonly string[] {
  const found: string[] = []
  for (let at = error; at instanceof Error && found.length < 5; at = at.cause) found.push(at.stack ?? String(at))
  return found
}
