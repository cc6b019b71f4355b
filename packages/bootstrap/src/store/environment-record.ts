import type { JsonObject } from '@r2e/spec'
import { isObject } from './stored-recipe.ts'

/** `bootstrap.json`: the environment of one commit with these options. */
export interface EnvironmentRecord {
  readonly schema: 'r2e.bootstrap/1'
  /** Id of the image, where the sandbox has such ids. */
  readonly image_digest: string | null
  /** What the sandbox calls the image. */
  readonly image_tag: string
  readonly language: string
  readonly repo: string
  /** The commit. */
  readonly ref: string
  /** Commands that build the project again after a change of its source, in the image. */
  readonly rebuild_cmds: readonly string[]
  readonly test_cmds: readonly string[]
  readonly smoke_passed: boolean
  /** Turns of the model; 0 where none was asked. */
  readonly iterations: number
  readonly build_time_sec: number
  readonly llm_provider: string | null
  /** Null where the price is not known. */
  readonly llm_cost_estimate_usd: number | null
  readonly dockerfile_reconstruction: string
  readonly pushed_to_registry: boolean
  /** Beside this file. */
  readonly transcript_path: string
  readonly verify_passed: boolean
  readonly verify_detail: string
  readonly runner: string
  /** Variables that the test commands run with, beside those of the image. */
  readonly environment: Readonly<Record<string, string>>
  readonly strategy: 'recipe' | 'agent'
  /** Version lines of the tools in the image, by name. */
  readonly toolchain: Readonly<Record<string, string>>
  /** What the image has installed for the language, as its own package manager lists it. */
  readonly packages: readonly string[]
  readonly extra: EnvironmentExtra
}

export interface EnvironmentExtra {
  /** Name of the recipe in the store. */
  readonly key: string
  readonly sandbox: string
  readonly options: JsonObject
  /** The address as the user wrote it, without a password. */
  readonly source: string
  readonly access: string
  readonly made_at: string
}

export function isRecord(value: unknown): value is EnvironmentRecord {
  if (!isObject(value) || value.schema !== 'r2e.bootstrap/1' || !isObject(value.extra)) return false
  const { image_tag, ref, extra } = value
  return [image_tag, ref, value.dockerfile_reconstruction, extra.key].every((text) => typeof text === 'string')
}
