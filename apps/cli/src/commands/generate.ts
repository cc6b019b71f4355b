import { availableParallelism } from 'node:os'
import type { RunConfig, RunEvent, RunSummary } from '@r2e/spec'
import { composePorts } from '../compose/ports.ts'
import { resolveConfig } from '../config/resolve.ts'
import type { Context } from '../context.ts'
import { exitOfRun } from '../exit-code.ts'
import { createRenderer } from '../ui/create-renderer.ts'
import type { Renderer } from '../ui/renderer.ts'
import type { CommandRequest } from './command.ts'

export async function run({ flags }: CommandRequest, context: Context): Promise<number> {
  const resolved = await resolveConfig(flags, context)
  const dryRun = flags.has('dry-run')
  await using ports = await composePorts(resolved, { dryRun, context })
  const { generate } = await import('@r2e/engine')
  const { limit } = resolved.config.pipeline.options
  const renderer = createRenderer(context, {
    dryRun,
    directory: context.directory,
    limit: typeof limit === 'number' ? limit : undefined,
    sandbox: sandboxFlags(resolved.config.sandbox),
  })
  const events = generate(resolved.config, ports, {
    stateDirectory: resolved.stateDirectory,
    resume: resumeOf(flags.get('resume')),
    dryRun,
    cores: availableParallelism(),
    toolVersion: context.version,
    now: context.now,
    signal: context.signal,
  })
  return exitOfRun(await show(events, renderer), dryRun)
}

/** What `validate` needs to run the tasks where they were proven. */
function sandboxFlags({ provider, rootfs }: RunConfig['sandbox']): readonly string[] {
  return [
    ...(provider === 'docker' || provider === 'local' ? ['--sandbox', provider] : []),
    ...(rootfs ? ['--sandbox-opt', `rootfs=${rootfs}`] : []),
  ]
}

function resumeOf(value: string | true | readonly string[] | undefined): false | 'newest' | string {
  return value === undefined ? false : typeof value === 'string' ? value : 'newest'
}

async function show(events: AsyncGenerator<RunEvent, RunSummary>, renderer: Renderer): Promise<RunSummary> {
  let ended: RunSummary | undefined
  try {
    for (;;) {
      const { done, value } = await events.next()
      if (done) {
        renderer.end(value)
        return value
      }
      if (value.type === 'run-end') ended = value.summary
      renderer.event(value)
    }
  } catch (error) {
    if (ended) renderer.end(ended)
    throw error
  } finally {
    renderer.dispose()
  }
}
