import { type ValidateEvent, type ValidateSummary, validate } from '@r2e/engine'
import { userError } from '@r2e/spec'
import { openSandboxProvider } from '../compose/sandboxes.ts'
import { absolutePath } from '../config/normalise.ts'
import { resolveSandbox } from '../config/resolve-section.ts'
import type { Context } from '../context.ts'
import { EXIT } from '../exit-code.ts'
import { jsonLine } from '../output/json-line.ts'
import { validateEndLine, validateLines } from '../ui/validate-lines.ts'
import type { CommandRequest } from './command.ts'

export async function run({ flags, operands }: CommandRequest, context: Context): Promise<number> {
  const [oracle, nop] = [flags.has('oracle'), flags.has('nop')]
  const runs = runsOf(flags, oracle || nop)
  const limits = resolveSandbox(flags, context)
  const state = flags.get('state-dir')
  const stateDirectory = absolutePath(typeof state === 'string' ? state : '.r2e', context)
  const sandbox = oracle || nop ? await openSandboxProvider({ ...limits, stateDirectory, context }) : undefined
  const events = validate(absolutePath(operands[0]!, context), {
    deep: flags.has('deep'),
    oracle,
    nop,
    runs,
    sandbox,
    limits: { cpus: limits.cpus, memoryMb: limits.memory_mb, pids: limits.pids },
    buildTimeoutMs: limits.build_timeout_sec * 1000,
    signal: context.signal,
  })
  const summary = await show(events, context)
  if (context.output.json) context.output.result(jsonLine({ type: 'validate-end', summary }))
  else if (summary.tasks > 0) context.output.say(validateEndLine(summary, { running: oracle || nop }))
  else {
    throw userError('no_tasks', `there is no task.toml at or below ${operands[0]}`, {
      fix: 'give the folder that generate wrote, or one task of it',
    })
  }
  return summary.ok ? EXIT.ok : EXIT.failed
}

async function show(
  events: AsyncGenerator<ValidateEvent, ValidateSummary>,
  { output }: Context,
): Promise<ValidateSummary> {
  for (;;) {
    const { done, value } = await events.next()
    if (done) return value
    if (output.json) output.result(jsonLine(slim(value)))
    else for (const line of validateLines(value, output)) output.say(line)
  }
}

/** Without logs and reports, which may be megabytes: the verdict, the reason and the times. */
function slim(event: ValidateEvent): object {
  if (event.type !== 'task-run') return event
  const { log: _log, ...run } = event.run
  return { ...event, run: { ...run, report: undefined, solve: undefined, verify: undefined } }
}

function runsOf(flags: CommandRequest['flags'], running: boolean): number {
  const text = flags.get('runs')
  if (text === undefined) return 1
  if (!/^[1-9]\d*$/.test(String(text))) {
    throw userError('wrong_value', `--runs must be a whole number of at least 1, got ${String(text)}`)
  }
  if (!running)
    throw userError('conflict', '--runs repeats --oracle and --nop, and neither is given', { fix: 'add --oracle' })
  return Number(text)
}
