import type { RunEvent, RunSummary } from '@r2e/spec'

/** Shows a run. `event` gets every event in order; `end` the summary, once; `dispose` leaves the terminal as it was. */
export interface Renderer {
  event(event: RunEvent): void
  end(summary: RunSummary): void
  dispose(): void
}
