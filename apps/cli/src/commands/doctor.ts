import { absolutePath } from '../config/normalise.ts'
import { resolveModel } from '../config/resolve-section.ts'
import type { Context } from '../context.ts'
import type { Check } from '../doctor/check.ts'
import { runChecks } from '../doctor/checks.ts'
import { modelCheck } from '../doctor/model.ts'
import { jsonLine } from '../output/json-line.ts'
import { printable } from '../output/printable.ts'
import type { CommandRequest } from './command.ts'

export async function run({ flags }: CommandRequest, context: Context): Promise<number> {
  const state = flags.get('state-dir')
  const stateDirectory = absolutePath(typeof state === 'string' ? state : '.r2e', context)
  const llm = resolveModel(flags, context)
  const machine = await runChecks(context, stateDirectory)
  const checks = llm === null ? machine : [...machine, await modelCheck({ llm, stateDirectory, context })]
  const ok = checks.every((check) => check.ok || !check.needed)
  if (context.output.json) context.output.result(jsonLine({ ok, checks }))
  else {
    for (const line of checks.flatMap(checkLines)) context.output.say(line)
    context.output.say(ok ? '\nready: r2e generate can run here' : '\nnot ready: mend what is missing above')
  }
  return ok ? 0 : 1
}

function checkLines(check: Check): readonly string[] {
  const word = check.ok ? 'ok' : check.needed ? 'missing' : 'absent'
  return [
    `${word.padEnd(8)} ${check.name.padEnd(18)} ${printable(check.detail)}`,
    ...(check.fix === undefined ? [] : [`${' '.repeat(28)}fix: ${printable(check.fix)}`]),
    ...check.warnings.map((warning) => `${' '.repeat(28)}${printable(warning)}`),
  ]
}
