import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import type { MakeEnvironmentInput, PlaceOptions } from '@r2e/bootstrap'
import type { ResolvedBootstrap } from '../config/resolve-bootstrap.ts'
import type { Context } from '../context.ts'
import { githubToken } from './github-token.ts'
import { loadLanguages } from './languages.ts'
import { composeMender } from './mender.ts'
import { chooseSandboxProvider } from './sandboxes.ts'

/** What makes an environment; disposed when it is made. */
export interface BootstrapTools extends Omit<MakeEnvironmentInput, 'onProgress'>, AsyncDisposable {}

/** Builds what makes an environment. @throws R2eError the faults of a model that is asked for */
export async function composeBootstrap(resolved: ResolvedBootstrap, context: Context): Promise<BootstrapTools> {
  const { config, stateDirectory } = resolved
  const { provider, rootfs } = config.sandbox
  const [languages, bootstrap, engine, { createGitSource }] = await Promise.all([
    loadLanguages(),
    import('@r2e/bootstrap'),
    import('@r2e/engine'),
    import('@r2e/source/git'),
  ])
  const chosen = await chooseSandboxProvider({ provider, rootfs, stateDirectory, context })
  const sandbox = chosen.provider
  const run = `bootstrap-${randomBytes(4).toString('hex')}`
  const mending = await composeMender({ resolved, context, provider: sandbox, languages, run })
  return {
    source: createGitSource({
      environment: context.environment,
      tokenFor: githubToken(config.auth, context.environment),
    }),
    spec: config.repo,
    cacheDirectory: join(stateDirectory, 'cache'),
    place: placeOptions(resolved, sandbox.name),
    builder: bootstrap.createRecipeBuilder(languages),
    languages,
    prover: engine.createRecipeProver({
      provider: sandbox,
      sandbox: config.sandbox,
      languages,
      run,
    }),
    sandbox,
    async prepare() {
      await mending?.prepare()
      await chosen.requireWorking()
      await sandbox.sweep()
    },
    mender: mending?.mender,
    model: mending?.model,
    store: bootstrap.openEnvironmentStore(config.bootstrap.cache_dir, engine.takeLock),
    options: engine.recipeOptions(config.bootstrap),
    force: config.bootstrap.force,
    maxSeconds: config.bootstrap.max_seconds,
    now: context.now,
    signal: context.signal,
    [Symbol.asyncDispose]: async () => mending?.[Symbol.asyncDispose](),
  }
}

function placeOptions({ config, platform }: ResolvedBootstrap, sandbox: string): PlaceOptions {
  const { base_image, image_registry, languages_hint, setup, test_cmd } = config.bootstrap
  return {
    platform,
    base_image,
    image_registry,
    languages_hint,
    setup,
    test_cmd,
    sandbox: sandbox === 'docker' ? null : sandbox,
  }
}
