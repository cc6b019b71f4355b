import type { MendOutcome, RecipeOrigin } from '@r2e/spec'
import type { EnvironmentRecord } from '../store/environment-record.ts'

/** A recipe as it is told of: what it is, and what says so. */
export interface RecipeFacts {
  readonly language: string
  readonly base_image: string
  readonly runner: string
  readonly origin: readonly RecipeOrigin[]
}

/** Where a recipe comes from: this tree's manifests, an earlier proof of equal manifests, or a model. */
export type RecipeSource = 'inferred' | 'stored' | 'agent'

/** Progress of making one environment, in order. With `--json` these are the lines of standard output. */
export type BootstrapEvent =
  | {
      readonly type: 'bootstrap-start'
      readonly repo: string
      readonly ref: string
      readonly commit: string
      readonly sandbox: string
      readonly platform: string
    }
  /** Another process makes this environment. */
  | { readonly type: 'lock-wait'; readonly path: string }
  | ({
      readonly type: 'recipe-inferred'
      readonly recipe: number
      readonly source: RecipeSource
      /** Parts in which it is not the first one: `baseImage`, `dependencies`, … */
      readonly differs_in: readonly string[]
    } & RecipeFacts)
  | { readonly type: 'attempt-start'; readonly recipe: number; readonly base_image: string }
  | ({ readonly type: 'attempt-end'; readonly recipe: number; readonly seconds: number } & AttemptEnd)
  | { readonly type: 'mend-start'; readonly transcript: string }
  | {
      readonly type: 'mend-end'
      readonly outcome: MendOutcome['kind']
      readonly detail: string
      readonly iterations: number
      readonly seconds: number
    }
  | { readonly type: 'proof-start'; readonly recipe: number }
  | ({ readonly type: 'proof-end'; readonly recipe: number; readonly seconds: number } & ProofEnd)
  | {
      readonly type: 'bootstrap-end'
      /** Nothing was built or run: the environment was in the store. */
      readonly cached: boolean
      readonly seconds: number
      readonly directory: string
      readonly record: EnvironmentRecord
    }

export type AttemptEnd =
  | { readonly ok: true; readonly seen: number; readonly passed: number }
  | { readonly ok: false; readonly reason: string; readonly detail: string; readonly step?: string | undefined }

export type ProofEnd =
  | {
      readonly ok: true
      /** The recipe was proven before, for equal manifests on the same base. */
      readonly known: boolean
      readonly runs: readonly { readonly seen: number; readonly passed: number }[]
      /** Tests that did not end alike in every run. */
      readonly unstable: readonly string[]
    }
  | { readonly ok: false; readonly reason: string; readonly detail: string; readonly step?: string | undefined }
