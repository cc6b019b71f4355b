import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import type { MakeEnvironmentInput, PlaceOptions } from '@r2e/bootstrap'
import type { ResolvedBootstrap } from '../config/resolve-bootstrap.ts'
import type { Context } from '../context.ts'
import { githubToken } from './github-token.ts'
import { loadLanguages } from './languages.ts'
import { composeMender } from './mender.ts'
import { chooseSandboxProvider } from './sandboxes.ts'

/** Builds what makes an environment. */
export async function composeBootstrap(
  resolved: ResolvedBootstrap,
  context: Context,
): Promise<Omit<MakeEnvironmentInput, 'onProgress'>> {
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
      run: `bootstrap-${randomBytes(4).toString('hex')}`,
    }),
    sandbox,
    async requireSandbox() {
      await chosen.requireWorking()
      await sandbox.sweep()
    },
    ...(await composeMender(resolved, context)),
    store: bootstrap.openEnvironmentStore(config.bootstrap.cache_dir, engine.takeLock),
    options: engine.recipeOptions(config.bootstrap),
    force: config.bootstrap.force,
    maxSeconds: config.bootstrap.max_seconds,
    now: context.now,
    signal: context.signal,
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
