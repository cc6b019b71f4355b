export type { BuildRepositoryOptions, BuiltRepository } from './repository/build-repository.ts'
export { buildRepository } from './repository/build-repository.ts'
export type {
  BranchStep,
  CommitDetails,
  CommitStep,
  FileContent,
  MergeStep,
  RefStep,
  RepositoryStep,
  TagStep,
  TreeChanges,
} from './repository/repository-step.ts'
export type { GitInput } from './repository/run-git.ts'
export { runGit, runGitBytes } from './repository/run-git.ts'
