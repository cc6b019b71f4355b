import type { MakingTools } from '@r2e/bootstrap'
import type { ResolvedBootstrap } from '../config/resolve-bootstrap.ts'
import type { Context } from '../context.ts'

export type Mending = Pick<MakingTools, 'mender' | 'model'>

/**
 * What mends an environment where no inferred recipe works: the one place where a model meets `bootstrap`. This version
 * has no agent, so `--llm` is read, checked, and mends nothing yet.
 */
export async function composeMender(_resolved: ResolvedBootstrap, _context: Context): Promise<Mending> {
  return {}
}
