export type { LocalSandboxOptions } from './local-context.ts'
export { createLocalSandbox } from './local-sandbox.ts'
