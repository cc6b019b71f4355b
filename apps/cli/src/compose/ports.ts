import type { EnginePorts } from '@r2e/engine'
import type { SandboxProvider } from '@r2e/spec'
import type { Resolved } from '../config/resolve.ts'
import type { Context } from '../context.ts'
import { githubToken } from './github-token.ts'
import { loadLanguages } from './languages.ts'
import { openSandboxProvider } from './sandboxes.ts'

export interface ComposeOptions {
  /** A rehearsal runs nothing, so it needs no sandbox. */
  readonly dryRun: boolean
  readonly context: Context
}

/** Builds the adapters of a run: the only place where they meet the engine. @throws R2eError `no_sandbox` */
export async function composePorts(resolved: Resolved, { dryRun, context }: ComposeOptions): Promise<EnginePorts> {
  const languages = await loadLanguages()
  const [{ createGitSource }, { createRecipeBuilder }] = await Promise.all([
    import('@r2e/source/git'),
    import('@r2e/bootstrap'),
  ])
  return {
    source: createGitSource({
      environment: context.environment,
      tokenFor: githubToken(resolved.config.auth, context.environment),
    }),
    sandbox: dryRun ? undefined : await sandboxOf(resolved, context),
    pipeline: resolved.pipeline,
    builder: createRecipeBuilder(languages),
    languages,
  }
}

async function sandboxOf(resolved: Resolved, context: Context): Promise<SandboxProvider | undefined> {
  const { provider, rootfs } = resolved.config.sandbox
  if (resolved.pipeline.needs.environment === 'none' || provider === 'none') return undefined
  return openSandboxProvider({ provider, rootfs, stateDirectory: resolved.stateDirectory, context })
}
