import { type CandidateEnd, isR2eError } from '@r2e/spec'

/** What a machine that runs short answers; the candidate is not to blame and is tried again by --resume. */
const SHORTAGES = new Set(['ENOSPC', 'EDQUOT', 'EMFILE', 'ENFILE', 'ENOMEM', 'EAGAIN', 'EIO', 'EROFS'])

/** The end of a candidate whose work threw. */
export function failureOf(error: unknown): CandidateEnd {
  const detail = error instanceof Error ? error.message : String(error)
  const code = isR2eError(error) ? error.code : 'internal_error'
  if (isShortage(error, detail)) return { state: 'failed', fault: 'transient', code: 'machine_exhausted', detail }
  const transient = isR2eError(error) && error.fault === 'transient'
  return { state: 'failed', fault: transient ? 'transient' : 'bug', code, detail }
}

/** Programs that we run tell it in their words only. */
function isShortage(error: unknown, detail: string): boolean {
  const { code } = (error ?? {}) as NodeJS.ErrnoException
  return SHORTAGES.has(code ?? '') || /No space left on device|Cannot allocate memory|Too many open files/.test(detail)
}
