export type { Environment } from './environment.ts'
export type { GitSourceOptions } from './git-source.ts'
export { createGitSource } from './git-source.ts'
