import { join } from 'node:path'
import type { Context } from '../context.ts'

export interface LayerPruning {
  readonly stateDirectory: string
  readonly context: Context
  readonly olderThanMs: number
}

/** Removes layers of the local sandbox that nothing needs and that nobody used for so long. Answers how many went. */
export async function pruneLayers({ stateDirectory, context, olderThanMs }: LayerPruning): Promise<number> {
  const { pruneLocalLayers } = await import('@r2e/sandbox/local')
  const { home, environment } = context
  return await pruneLocalLayers({ stateDirectory: join(stateDirectory, 'sandbox'), home, environment }, olderThanMs)
}
