import type { Output } from '../output/output.ts'
import { type FunnelOptions, funnelLines } from './funnel.ts'
import { liveLines } from './live-lines.ts'
import { noticeLine, plainLines } from './plain.ts'
import type { Renderer } from './renderer.ts'
import { emptyView, reduce } from './view.ts'

export interface PlainRendererOptions extends FunnelOptions {
  /** Tasks wanted. */
  readonly limit: number | undefined
  readonly now: () => number
  /** Silence after which the work in hand is told, in milliseconds. */
  readonly silenceMs?: number
}

/** Lines for pipes and logs. Where nothing ends for a while, they say what is being worked on. */
export function createPlainRenderer(output: Output, options: PlainRendererOptions): Renderer {
  const { now, limit } = options
  const progress = (lines: readonly string[]): void => {
    if (lines.length === 0) return
    for (const line of lines) output.progress(line)
    silence.refresh()
  }
  const silence = setInterval(() => {
    if (view.run !== '') progress(liveLines(view, now(), { limit, size: { columns: output.columns, rows: 8 } }))
  }, options.silenceMs ?? 30_000)
  let view = emptyView
  return {
    event(event) {
      view = reduce(view, event, now())
      if (event.type === 'notice' && event.level === 'warning') output.warn(noticeLine(event))
      else progress(plainLines(event, { verbose: output.verbose, dryRun: options.dryRun }))
    },
    end(summary) {
      clearInterval(silence)
      for (const line of funnelLines(summary, options)) output.say(line)
    },
    dispose: () => clearInterval(silence),
  }
}
