import type { Candidate, Pipeline } from '@r2e/spec'

/** Gives a pipeline its types; changes nothing. */
export function definePipeline<Options, C extends Candidate>(pipeline: Pipeline<Options, C>): Pipeline<Options, C> {
  return pipeline
}
