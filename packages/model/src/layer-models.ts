import type { Budget, LanguageModel, ModelPrice } from '@r2e/spec'
import { withBudget } from './budget/with-budget.ts'
import { withCache } from './cache/with-cache.ts'
import { withFallback } from './with-fallback.ts'
import { type RetryOptions, withRetry } from './with-retry.ts'

/** A model and what it costs; no price = unknown. */
export interface PricedModel {
  readonly model: LanguageModel
  readonly price?: ModelPrice | undefined
}

export interface LayeringOptions {
  readonly budget: Budget
  readonly retry: RetryOptions
  /** Folder of replies. */
  readonly cacheDirectory: string
}

/**
 * All layers in their order: cache around the chain of fallbacks, retries around each model, the budget around each
 * attempt.
 */
export function layerModels(
  [first, ...others]: readonly [PricedModel, ...PricedModel[]],
  { budget, retry, cacheDirectory }: LayeringOptions,
): LanguageModel {
  const tried = ({ model, price }: PricedModel) => withRetry(retry)(withBudget({ budget, price })(model))
  return withCache({ directory: cacheDirectory })(withFallback(...others.map(tried))(tried(first)))
}
