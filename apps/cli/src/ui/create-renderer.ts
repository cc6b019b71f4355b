import { createLogUpdate } from 'log-update'
import type { Context } from '../context.ts'
import type { FunnelOptions } from './funnel.ts'
import { createJsonRenderer } from './json-renderer.ts'
import { createLiveRenderer } from './live-renderer.ts'
import { createPlainRenderer } from './plain-renderer.ts'
import type { Renderer } from './renderer.ts'

export interface RendererOptions extends FunnelOptions {
  /** Tasks wanted. */
  readonly limit: number | undefined
}

export function createRenderer(context: Context, options: RendererOptions): Renderer {
  const { output } = context
  if (output.json) return createJsonRenderer(output)
  const now = (): number => context.now().getTime()
  if (!output.live) return createPlainRenderer(output, { ...options, now })
  return createLiveRenderer(output, { ...options, now, draw: createLogUpdate(process.stderr) })
}
