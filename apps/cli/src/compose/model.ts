import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { ModelPort } from '@r2e/engine'
import type { PricedModel } from '@r2e/model'
import { type Budget, type ModelPhase, type RunConfig, userError } from '@r2e/spec'
import type { Context } from '../context.ts'
import { openRunBudget } from './run-budget.ts'

export interface ModelRequest {
  readonly config: Pick<RunConfig, 'llm' | 'max_spend_usd' | 'max_spend_tokens'>
  /** Absolute path of the `.r2e` folder. */
  readonly stateDirectory: string
  readonly environment: Context['environment']
}

/** A model for one run. Nothing is called or written yet. */
export interface ComposedModel extends ModelPort, AsyncDisposable {
  /** A further cap for the calls of one phase, inside that of the run: hand it to each call as `within`. 0 = none. */
  budgetFor(phase: ModelPhase, capUsd: number): Budget
}

type Section = Omit<NonNullable<RunConfig['llm']>, 'fallback'> & { readonly fallback?: Section | null }

/**
 * The configured model with its fallbacks in all their layers. The packages behind it are loaded here and not before.
 * @throws R2eError `no_model`, `unknown_provider`, `bad_endpoint`, `no_model_key`, `unknown_price` (fault user)
 */
export async function composeModel({ config, stateDirectory, environment }: ModelRequest): Promise<ComposedModel> {
  if (config.llm === null)
    throw userError('no_model', 'a model is needed here and none is given', { fix: 'give --llm PROVIDER/MODEL' })
  const [{ layerModels, parsePrice }, { createOpenAiModel }] = await Promise.all([
    import('@r2e/model'),
    import('@r2e/model/openai'),
  ])
  const priced = ({ provider, model, endpoint, api_key_env, price, timeout_sec, max_concurrent }: Section) => ({
    model: createOpenAiModel({
      provider,
      model,
      endpoint,
      apiKeyEnv: api_key_env,
      environment,
      timeoutSec: timeout_sec,
    }),
    price: price === null ? undefined : parsePrice(price),
    maxConcurrent: max_concurrent,
  })
  const [first, ...others] = chainOf(config.llm)
  const models: [PricedModel, ...PricedModel[]] = [priced(first), ...others.map(priced)]
  const everyPriceIsKnown = models.every(({ price }) => price !== undefined)
  const spend = await openRunBudget({ nanoUsd: nanoUsd(config.max_spend_usd), tokens: config.max_spend_tokens })
  return {
    model: layerModels(models, {
      budget: spend.budget,
      cacheDirectory: join(stateDirectory, 'cache', 'replies'),
      retry: { sleep: (wait, signal) => sleep(wait, undefined, { signal }), random: Math.random },
    }),
    budget: spend.budget,
    keepLedger: spend.keepLedger,
    // Without a price money says nothing: what holds then is the cap in tokens, or the wish to have none.
    budgetFor: (phase, capUsd) => spend.phase(phase, { nanoUsd: everyPriceIsKnown ? nanoUsd(capUsd) : 0, tokens: 0 }),
    [Symbol.asyncDispose]: spend[Symbol.asyncDispose],
  }
}

function chainOf(first: Section): readonly [Section, ...Section[]] {
  return [first, ...(first.fallback ? chainOf(first.fallback) : [])]
}

/** A cap too small to be counted is a cap all the same. */
const nanoUsd = (usd: number): number => (usd === 0 ? 0 : Math.max(1, Math.round(usd * 1e9)))
