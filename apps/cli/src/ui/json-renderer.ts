import type { RunEvent } from '@r2e/spec'
import { jsonLine } from '../output/json-line.ts'
import type { Output } from '../output/output.ts'
import type { Renderer } from './renderer.ts'

/** The events as they are, one a line; the last line is the event `run-end` with the summary. */
export function createJsonRenderer(output: Output): Renderer {
  return {
    event(event: RunEvent) {
      if (event.type !== 'run-end') output.result(jsonLine(event))
    },
    end: (summary) => output.result(jsonLine({ type: 'run-end', summary } satisfies RunEvent)),
    dispose() {},
  }
}
