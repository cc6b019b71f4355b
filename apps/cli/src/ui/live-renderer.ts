import type { Output } from '../output/output.ts'
import { type FunnelOptions, funnelLines } from './funnel.ts'
import { liveLines } from './live-lines.ts'
import type { LogUpdate } from './log-update.ts'
import { plainLines } from './plain.ts'
import type { Renderer } from './renderer.ts'
import { emptyView, reduce } from './view.ts'

export interface LiveOptions extends FunnelOptions {
  readonly limit: number | undefined
  readonly now: () => number
  readonly draw: LogUpdate
}

const framesEveryMs = 200

/** Settled candidates scroll by above, the work in hand is redrawn below. */
export function createLiveRenderer(output: Output, options: LiveOptions): Renderer {
  const { draw, now, limit } = options
  let view = emptyView
  const frame = (): void => {
    if (view.run === '') return
    draw(liveLines(view, now(), { limit, size: { columns: output.columns, rows: 8 } }).join('\n'))
  }
  const timer = setInterval(frame, framesEveryMs)
  const stop = (): void => {
    clearInterval(timer)
    draw.clear()
    draw.done()
  }
  return {
    event(event) {
      view = reduce(view, event, now())
      const lines = plainLines(event, { verbose: output.verbose, dryRun: options.dryRun })
      if (lines.length > 0) draw.persist(...lines.map(output.tint))
    },
    end(summary) {
      stop()
      for (const line of funnelLines(summary, options)) output.say(line)
    },
    dispose: stop,
  }
}
