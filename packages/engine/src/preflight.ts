import type { JsonObject, Pipeline, Repository, RunConfig } from '@r2e/spec'
import { userError } from '@r2e/spec'
import * as v from 'valibot'
import type { EnginePorts } from './ports.ts'

/** Checks options before anything is opened. @throws R2eError `bad_option` naming the option's path */
export function parsePipelineOptions(pipeline: Pipeline, written: Record<string, unknown>): JsonObject {
  const result = v.safeParse(pipeline.options, written)
  if (result.success) return result.output as JsonObject
  const [issue] = result.issues
  const path = v.getDotPath(issue) ?? ''
  throw userError('bad_option', `pipeline.options${path && `.${path}`}: ${issue.message}`, {
    fix: `see "pipelines describe ${pipeline.name}"`,
  })
}

/** @throws R2eError `no_sandbox`, `no_environment` */
export async function requireSandbox(config: RunConfig, ports: EnginePorts, signal: AbortSignal): Promise<void> {
  if (ports.pipeline.needs.environment === 'none') return
  if (!config.bootstrap.enabled)
    throw userError('no_environment', `${ports.pipeline.name} runs tests, and bootstrap.enabled is false`, {
      fix: 'set bootstrap.enabled to true, or take pr_diff, which runs nothing',
    })
  if (!ports.sandbox) throw userError('no_sandbox', `${ports.pipeline.name} runs tests and no sandbox was given`)
  const probe = await ports.sandbox.probe(signal)
  if (probe.ok) return
  throw userError('no_sandbox', `the ${ports.sandbox.name} sandbox cannot work here: ${probe.detail}`, {
    fix: probe.fix ?? 'run "doctor"',
  })
}

/** Whether a model has to be there: the pipeline always needs one, or its options ask for it. */
export function usesModel({ needs, usesModel: asks }: EnginePorts['pipeline'], options: unknown): boolean {
  return needs.model || asks?.(options) === true
}

/** One call, before anything is fetched or started. @throws R2eError `no_model`, or what the model's probe found */
export async function requireModel(ports: EnginePorts, options: JsonObject, signal: AbortSignal): Promise<void> {
  if (!ports.model) {
    if (!usesModel(ports.pipeline, options)) return
    throw userError('no_model', `${ports.pipeline.name} needs a model here and none is given`, {
      fix: 'give --llm PROVIDER/MODEL',
    })
  }
  const { ok, code = 'model_unreachable', detail, fix } = await ports.model.model.probe(signal)
  if (!ok) throw userError(code, detail, fix === undefined ? {} : { fix })
}

export function requireCapabilities(ports: EnginePorts, repository: Repository): void {
  const offered: Record<string, boolean> = {
    commits: repository.commits !== undefined,
    pullRequests: repository.pullRequests !== undefined,
  }
  const missing = ports.pipeline.needs.source.filter((capability) => !offered[capability])
  if (missing.length === 0) return
  throw userError('missing_capability', `${repository.url} offers no ${missing.join(', ')}`, {
    fix: `${ports.pipeline.name} needs them; take another source or pipeline`,
  })
}

/** Everything that can change a task, and nothing else: equal digests mean a run may be resumed. */
export function taskConfiguration(config: RunConfig, ports: EnginePorts, options: JsonObject): JsonObject {
  const { append: _append, force: _force, ...output } = config.output
  const { concurrency: _concurrency, ...sandbox } = config.sandbox
  const { force: _again, ...bootstrap } = config.bootstrap
  return {
    repo: { ...config.repo },
    pipeline: { name: config.pipeline.name, version: ports.pipeline.version, options },
    output,
    qa: config.qa,
    sandbox: { ...sandbox, provider: ports.sandbox?.name ?? 'none' },
    bootstrap: { ...bootstrap, version: ports.builder.version },
    ...(ports.model && { model: ports.model.model.identity }),
    seed: config.seed,
  } as JsonObject
}

/** `limit` tasks are admitted; at most `max_candidates` (default 20 × limit) are examined for them. */
export function runLimits(options: JsonObject): { readonly limit: number; readonly maxCandidates: number } {
  const limit = typeof options.limit === 'number' ? options.limit : Number.POSITIVE_INFINITY
  const most = options.max_candidates
  return { limit, maxCandidates: typeof most === 'number' ? most : limit * 20 }
}
