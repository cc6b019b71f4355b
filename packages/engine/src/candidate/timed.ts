import type { StageName } from '@r2e/spec'
import type { CandidateContext } from './context.ts'

export interface Stage {
  readonly id: string
  readonly stage: StageName
  readonly detail?: string | undefined
}

/** Reports a stage's begin and end around its work. */
export async function timed<T>(
  context: Pick<CandidateContext, 'emit'>,
  stage: Stage,
  work: () => Promise<T>,
): Promise<T> {
  const begin = performance.now()
  context.emit({ type: 'stage-start', ...stage })
  try {
    return await work()
  } finally {
    context.emit({ type: 'stage-end', ...stage, ms: Math.round(performance.now() - begin) })
  }
}
