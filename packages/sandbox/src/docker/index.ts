export type { DockerSandboxOptions } from './engine.ts'
export { createDockerSandbox } from './provider.ts'
