import { join } from 'node:path'
import type { MakingTools } from '@r2e/bootstrap'
import { type LanguagePack, type SandboxProvider, userError } from '@r2e/spec'
import type { ResolvedBootstrap } from '../config/resolve-bootstrap.ts'
import type { Context } from '../context.ts'
import { composeModel } from './model.ts'

export interface MendingRequest {
  readonly resolved: ResolvedBootstrap
  readonly context: Context
  readonly provider: SandboxProvider
  readonly languages: readonly LanguagePack[]
  /** Owner label of sandboxes, and the name of the ledger of what is spent. */
  readonly run: string
}

export interface Mending extends Pick<MakingTools, 'mender' | 'model'>, AsyncDisposable {
  /** Asks the model for one word; from then on what is spent is written down. @throws R2eError what the probe found */
  prepare(): Promise<void>
}

/** What mends an environment where no inferred recipe works; nothing where no model is given. */
export async function composeMender({ resolved, context, ...tools }: MendingRequest): Promise<Mending | undefined> {
  const { config, stateDirectory } = resolved
  if (config.llm === null) return undefined
  const { bootstrap, sandbox } = config
  const [{ createEnvironmentMender }, { graderFiles }] = await Promise.all([
    import('@r2e/bootstrap'),
    import('@r2e/grader'),
  ])
  const composed = await composeModel({ config, stateDirectory, environment: context.environment })
  const { model, budget } = composed
  return {
    mender: createEnvironmentMender({
      ...tools,
      packs: tools.languages,
      model,
      budget: composed.budgetFor('bootstrap', bootstrap.max_llm_spend_usd),
      limits: { cpus: sandbox.cpus, memoryMb: sandbox.memory_mb, pids: sandbox.pids },
      grader: await graderFiles(),
      maxIterations: bootstrap.max_iterations,
      maxSeconds: bootstrap.max_seconds,
      secrets: secretsOf(resolved, context),
    }),
    model: {
      name: model.name,
      costUsd() {
        const { nanoUsd, unpriced } = budget.spent()
        return unpriced > 0 ? undefined : nanoUsd / 1e9
      },
    },
    async prepare() {
      await composed.keepLedger(join(stateDirectory, 'spend', `${tools.run}.jsonl`))
      const { ok, code = 'model_unreachable', detail, fix } = await model.probe(context.signal)
      if (!ok) throw userError(code, detail, fix === undefined ? {} : { fix })
    },
    [Symbol.asyncDispose]: () => composed[Symbol.asyncDispose](),
  }
}

/** Values of the variables that the configuration names, and of all others that are called like a secret. */
function secretsOf({ config }: ResolvedBootstrap, { environment }: Context): Readonly<Record<string, string>> {
  const { repo, auth, llm } = config
  const named = [repo.auth_token_env, auth.github_token_env, auth.hf_token_env, llm?.api_key_env]
  const secrets = Object.entries(environment).filter(
    ([name, value]) => value && (named.includes(name) || /KEY|TOKEN|SECRET|PASSW/i.test(name)),
  )
  return Object.fromEntries(secrets) as Record<string, string>
}
