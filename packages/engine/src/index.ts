export { generate } from './generate.ts'
export type { EnginePorts, RunOptions } from './ports.ts'
