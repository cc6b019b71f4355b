export type { LocalSandboxOptions } from './local-context.ts'
export { createLocalSandbox, pruneLocalLayers } from './local-sandbox.ts'
