import type { Budget, LanguageModel, ModelPrice } from '@r2e/spec'
import { withBudget } from './budget/with-budget.ts'
import { withCache } from './cache/with-cache.ts'
import { withConcurrency } from './with-concurrency.ts'
import { withFallback } from './with-fallback.ts'
import { type RetryOptions, withRetry } from './with-retry.ts'

/** A model and what it costs; no price = unknown. */
export interface PricedModel {
  readonly model: LanguageModel
  readonly price?: ModelPrice | undefined
  /** Calls at one time; default: no limit. */
  readonly maxConcurrent?: number | undefined
}

export interface LayeringOptions {
  readonly budget: Budget
  readonly retry: RetryOptions
  /** Folder of replies. */
  readonly cacheDirectory: string
}

/**
 * All layers in their order: cache around the chain of fallbacks, retries around each model, a place among its calls and
 * the budget around each attempt.
 */
export function layerModels(
  [first, ...others]: readonly [PricedModel, ...PricedModel[]],
  { budget, retry, cacheDirectory }: LayeringOptions,
): LanguageModel {
  const tried = ({ model, price, maxConcurrent = Number.POSITIVE_INFINITY }: PricedModel) =>
    withRetry(retry)(withConcurrency(maxConcurrent)(withBudget({ budget, price })(model)))
  return withCache({ directory: cacheDirectory })(withFallback(...others.map(tried))(tried(first)))
}
