import { contentHash, type JsonObject, type JsonValue } from '@r2e/spec'
import { stringify } from 'smol-toml'
import { difficultyOf } from './difficulty.ts'
import type { TaskInput } from './task-input.ts'

const AGENT_TIMEOUT_SEC = 1800
const BUILD_TIMEOUT_SEC = 1800
/** Version of the metadata that tasks and manifests carry. */
export const SPEC_VERSION = '0.1.0'

/** `task.toml` (contract §8): no clock, no test name, no path; absent values are absent keys. */
export function renderTaskToml(input: TaskInput, instruction: string): string {
  return stringify(
    present({
      schema_version: '1.3',
      version: '1.0',
      task: { name: `${input.org}/${input.taskId}`, description: describe(input), keywords: keywords(input) },
      metadata: metadata(input, instruction),
      agent: { timeout_sec: AGENT_TIMEOUT_SEC },
      verifier: { timeout_sec: input.limits.verifierTimeoutSec },
      environment: input.recipe && {
        build_timeout_sec: BUILD_TIMEOUT_SEC,
        cpus: input.limits.cpus,
        memory_mb: input.limits.memoryMb,
      },
    }),
  )
}

const NOUN = {
  bugfix: 'Bug fix',
  feature: 'Feature',
  equivalence: 'Equivalent implementation',
  security: 'Security fix',
  refactor: 'Refactoring',
}

function describe({ draft, repository }: TaskInput): string {
  return `${NOUN[draft.category]} in ${repository.owner}/${repository.name}`
}

function keywords({ draft, pipeline, recipe }: TaskInput): string[] {
  return [draft.category, pipeline.name, ...(recipe ? [recipe.language] : [])]
}

function metadata(input: TaskInput, instruction: string): JsonObject {
  const { draft, tests } = input
  return {
    difficulty: difficultyOf(draft.changedLines, tests?.failToPass.length),
    category: draft.category,
    keywords: keywords(input),
    repo2env: {
      pipeline: input.pipeline.name,
      pipeline_version: input.pipeline.version,
      repo: input.repository.url,
      ref: input.base,
      reference: draft.reference,
      source_access: input.repository.access,
      synthesis_llm: draft.synthesisModel,
      reward_kinds: tests ? ['test_execution', 'diff_similarity'] : ['diff_similarity'],
      spec_version: SPEC_VERSION,
      content_hash: contentHash(instruction, draft.solution),
      licence: input.licence,
      [input.pipeline.name]: { ...draft.metadata, ...measured(input) },
      reward_calibration: calibration(input),
      reproducibility: input.image && { mode: input.image.mode, recipe: input.image.recipeDigest },
    },
  }
}

/** What the pipeline's table says of the outcome (contract §4). */
function measured({ tests, recipe, validation }: TaskInput): JsonObject {
  return {
    fail_to_pass_count: tests?.failToPass.length,
    pass_to_pass_count: tests?.passToPass.length,
    test_coverage: tests?.run.coverage,
    test_report: tests?.run.format,
    validation_status: validation,
    bootstrap_image: recipe?.baseImage,
  }
}

function calibration({ draft, tests, baselineReward }: TaskInput): JsonObject {
  return {
    baseline_reward: baselineReward,
    f2p_count: tests?.failToPass.length,
    p2p_count: tests?.passToPass.length,
    source_files: draft.sourceFiles,
    loc_changed: draft.changedLines,
    difficulty: difficultyOf(draft.changedLines, tests?.failToPass.length),
  }
}

/** TOML has no null: keys without a value are left out, at every depth. */
function present(value: JsonObject): Record<string, JsonValue> {
  const kept = Object.entries(value).filter((entry): entry is [string, JsonValue] => entry[1] != null)
  return Object.fromEntries(kept.map(([key, inner]) => [key, isTable(inner) ? present(inner) : inner]))
}

function isTable(value: JsonValue): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
