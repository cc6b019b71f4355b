import type { EnginePorts } from '@r2e/engine'
import type { EnvironmentBuilder, SandboxProvider } from '@r2e/spec'
import { nativePlatform } from '../config/native-platform.ts'
import type { Resolved } from '../config/resolve.ts'
import type { Context } from '../context.ts'
import { githubToken } from './github-token.ts'
import { loadLanguages } from './languages.ts'
import { composeModel } from './model.ts'
import { openSandboxProvider } from './sandboxes.ts'

export interface ComposeOptions {
  /** A rehearsal runs nothing and calls nothing, so it needs neither sandbox nor model. */
  readonly dryRun: boolean
  readonly context: Context
}

export interface RunPorts extends EnginePorts, AsyncDisposable {}

/**
 * Builds the adapters of a run: the only place where they meet the engine.
 * @throws R2eError `no_sandbox`, and the faults of a model that is asked for
 */
export async function composePorts(resolved: Resolved, { dryRun, context }: ComposeOptions): Promise<RunPorts> {
  const model = dryRun ? undefined : await modelOf(resolved, context)
  const languages = await loadLanguages()
  const { createGitSource } = await import('@r2e/source/git')
  const sandbox = dryRun ? undefined : await sandboxOf(resolved, context)
  return {
    source: createGitSource({
      environment: context.environment,
      tokenFor: githubToken(resolved.config.auth, context.environment),
    }),
    sandbox,
    pipeline: resolved.pipeline,
    builder: await builderOf(resolved, { languages, sandbox }),
    languages,
    model,
    [Symbol.asyncDispose]: async () => model?.[Symbol.asyncDispose](),
  }
}

/** Only where something asks for one: a model that is named and not needed is neither loaded nor called. */
async function modelOf({ config, pipeline, stateDirectory }: Resolved, context: Context) {
  const { usesModel } = await import('@r2e/engine')
  if (!usesModel(pipeline, config.pipeline.options)) return undefined
  return composeModel({ config, stateDirectory, environment: context.environment })
}

/** Recipes of the manifests, behind what `bootstrap` proved for them with a model's help. */
async function builderOf(
  { config }: Resolved,
  { languages, sandbox }: Pick<EnginePorts, 'languages' | 'sandbox'>,
): Promise<EnvironmentBuilder> {
  const { createRecipeBuilder, openEnvironmentStore, preferStored } = await import('@r2e/bootstrap')
  const { cache_dir, force, platform } = config.bootstrap
  const builder = createRecipeBuilder(languages)
  if (force || !sandbox) return builder
  const { takeLock } = await import('@r2e/engine')
  const store = openEnvironmentStore(cache_dir, takeLock)
  return preferStored(builder, { store, sandbox: sandbox.name, platform: nativePlatform(platform) })
}

async function sandboxOf(resolved: Resolved, context: Context): Promise<SandboxProvider | undefined> {
  const { provider, rootfs } = resolved.config.sandbox
  if (resolved.pipeline.needs.environment === 'none' || provider === 'none') return undefined
  return openSandboxProvider({ provider, rootfs, stateDirectory: resolved.stateDirectory, context })
}
