export type { ChatMessage, ChatRequest } from './model/chat-request.ts'
export type { FakeModel, FakeModelOptions, FakeReply } from './model/fake-model.ts'
export { fakeModel } from './model/fake-model.ts'
export type { ModelServer, ModelServerOptions, ReceivedRequest } from './model/model-server.ts'
export { startModelServer } from './model/model-server.ts'
export type { ModelCheck, ModelExchange, ModelSuiteOptions, OpenedModel } from './model/model-suite.ts'
export { answerExchanges, modelSuite } from './model/model-suite.ts'
export type { ErrorDetails, SentPart, ServerAnswer, ServerReply, ServerToolCall } from './model/server-answer.ts'
export { errorAnswer } from './model/server-answer.ts'
export { PIPELINE_HISTORY } from './pipeline/pipeline-history.ts'
export type { PipelineCheck, PipelineSuiteOptions } from './pipeline/pipeline-suite.ts'
export { pipelineSuite } from './pipeline/pipeline-suite.ts'
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
export type { SandboxSuiteOptions, SuiteAddress } from './sandbox/sandbox-suite.ts'
export { sandboxSuite } from './sandbox/sandbox-suite.ts'
export type { SourceCheck, SourceSuiteOptions } from './source/source-suite.ts'
export { sourceSuite } from './source/source-suite.ts'
export { treeAfter } from './source/tree-after.ts'
