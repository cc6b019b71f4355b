export type { ReplayModelOptions } from './replay-model.ts'
export { createReplayModel } from './replay-model.ts'
export type { TranscriptOptions } from './with-transcript.ts'
export { withTranscript } from './with-transcript.ts'
