import type { BootstrapEvent, EnvironmentRecord } from '@r2e/bootstrap'
import { composeBootstrap } from '../compose/bootstrap.ts'
import { type ResolvedBootstrap, resolveBootstrap } from '../config/resolve-bootstrap.ts'
import type { Context } from '../context.ts'
import { EXIT } from '../exit-code.ts'
import { jsonLine } from '../output/json-line.ts'
import { bootstrapLines, environmentLines } from '../ui/bootstrap-lines.ts'
import { quoted } from '../ui/quoted.ts'
import type { CommandRequest, FlagValues } from './command.ts'

export async function run({ flags }: CommandRequest, context: Context): Promise<number> {
  const resolved = await resolveBootstrap(flags, context)
  await using tools = await composeBootstrap(resolved, context)
  const { makeEnvironment } = await import('@r2e/bootstrap')
  const onProgress = (text: string) => context.output.verbose && context.output.progress(text)
  const end = await showBootstrap(makeEnvironment({ ...tools, onProgress }), context)
  if (!context.output.json) {
    const shown = { directory: end.directory, flags: flagsFor(resolved, flags) }
    for (const line of environmentLines(end.record, shown)) context.output.say(line)
  }
  return EXIT.ok
}

type End = Extract<BootstrapEvent, { type: 'bootstrap-end' }>

/** Tells the events as they come; with `--json` as they are. */
export async function showBootstrap(
  events: AsyncGenerator<BootstrapEvent, EnvironmentRecord>,
  { output }: Context,
): Promise<End> {
  let end: End | undefined
  for await (const event of events) {
    if (event.type === 'bootstrap-end') end = event
    if (output.json) output.result(jsonLine(event))
    else for (const line of bootstrapLines(event, output)) output.progress(line)
  }
  return end!
}

/** What `generate` must be told too, so that it meets the environment that was proven. */
function flagsFor({ config, stateDirectory: _state }: ResolvedBootstrap, flags: FlagValues): readonly string[] {
  const typed = (name: string): readonly string[] => {
    const value = flags.get(name)
    if (value === undefined || value === true) return []
    return [value].flat().map((each) => `--${name} ${quoted(each)}`)
  }
  const names = ['ref', 'language', 'base-image', 'setup', 'test-cmd', 'sandbox', 'sandbox-opt', 'state-dir']
  const cache = flags.has('cache-dir') ? [`--bootstrap-opt ${quoted(`cache_dir=${config.bootstrap.cache_dir}`)}`] : []
  return [...typed('repo'), ...names.flatMap(typed), ...cache]
}
