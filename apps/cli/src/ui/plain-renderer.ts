import type { Output } from '../output/output.ts'
import { type FunnelOptions, funnelLines } from './funnel.ts'
import { noticeLine, plainLines } from './plain.ts'
import type { Renderer } from './renderer.ts'

/** Lines for pipes and logs. */
export function createPlainRenderer(output: Output, options: FunnelOptions): Renderer {
  return {
    event(event) {
      if (event.type === 'notice' && event.level === 'warning') output.warn(noticeLine(event))
      else
        for (const line of plainLines(event, { verbose: output.verbose, dryRun: options.dryRun })) output.progress(line)
    },
    end(summary) {
      for (const line of funnelLines(summary, options)) output.say(line)
    },
    dispose() {},
  }
}
