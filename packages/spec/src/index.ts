// Stored values
export { decodeUtf8, encodeUtf8, pathFromBytes, pathToBytes, tryDecodeUtf8 } from './bytes.ts'
export type { RunConfig, WrittenConfig } from './config.ts'
export { ConfigSchema } from './config.ts'
export type { Digest } from './digest.ts'
export { canonicalJson, contentHash, digestJson, digestOf, sha256Hex } from './digest.ts'
export type { Fault, R2eErrorOptions } from './error.ts'
export { isR2eError, R2eError, userError } from './error.ts'
export type { CandidateEnd, RunEvent, RunSummary, StageName } from './event.ts'
export type { Edit, FileEntry, FileMode, FileRole, HiddenEdit, InlineEdit, Patch } from './files.ts'
export type { JsonObject, JsonValue } from './json.ts'
// Ports
export type { HiddenSource, IsGone, LanguagePack, Runner, TestCase, TestPiece } from './language.ts'
export { isCalled } from './language.ts'
export type {
  Budget,
  LanguageModel,
  ModelCall,
  ModelLayer,
  ModelMessage,
  ModelPhase,
  ModelPrice,
  ModelProbe,
  ModelReply,
  ModelRequest,
  ModelTool,
  ModelUsage,
  Reservation,
  Spend,
  SpendEntry,
  SpendLimit,
  SpendPurpose,
  SpendTotal,
  ToolCall,
} from './model.ts'
export type {
  Candidate,
  Capability,
  DiscoverInput,
  Draft,
  DraftInput,
  DraftPlan,
  Found,
  Pipeline,
  PipelineNeeds,
  TestsPlan,
} from './pipeline.ts'
export type {
  EnvironmentMender,
  FailedRecipe,
  MendOutcome,
  MendRequest,
  ProveRequest,
  RecipeFailure,
  RecipeProof,
  RecipeProver,
} from './prover.ts'
export type {
  EnvironmentBuilder,
  Recipe,
  RecipeFile,
  RecipeInput,
  RecipeOptions,
  RecipeOrigin,
  RecipeStep,
} from './recipe.ts'
export { recipeDigest } from './recipe.ts'
export type { ParsedReport, ReportFormat, TestReport, TestStatus } from './report.ts'
export { REPORT_FORMATS, STATUS_ORDER } from './report.ts'
export type {
  Commit,
  CommitInfo,
  CommitQuery,
  FileChange,
  LinkedIssue,
  ObjectId,
  OpenOptions,
  PullRequest,
  PullRequestQuery,
  RepoSource,
  RepoSpec,
  Repository,
  ResolvedRef,
  Tree,
  TreeEntry,
  WithheldReason,
} from './repository.ts'
export type {
  DiffPlan,
  InlineFile,
  InlinePlan,
  LeftFile,
  PurgeRule,
  ReportPlace,
  RestoreFile,
  RestorePlan,
  RunCommand,
  RunPlan,
} from './run-plan.ts'
export type {
  BuildRequest,
  BuildResult,
  ExecRequest,
  ExecResult,
  OpenRequest,
  Sandbox,
  SandboxLimits,
  SandboxProbe,
  SandboxProvider,
} from './sandbox.ts'
export type { Skip, SkipReason } from './skip.ts'
export { SKIP_REASONS, skip } from './skip.ts'
