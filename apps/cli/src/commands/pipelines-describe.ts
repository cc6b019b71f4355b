import { ENGINE_SKIP_REASONS } from '@r2e/engine'
import { toJsonSchema } from '@valibot/to-json-schema'
import { languageNames } from '../compose/languages.ts'
import { loadPipeline } from '../compose/pipelines.ts'
import { optionRows } from '../config/option-rows.ts'
import type { Context } from '../context.ts'
import { jsonLine } from '../output/json-line.ts'
import type { CommandRequest } from './command.ts'
import { needsText } from './pipelines-list.ts'

export async function run({ operands }: CommandRequest, context: Context): Promise<number> {
  const pipeline = await loadPipeline(operands[0]!, {
    directory: context.directory,
    folder: context.directory,
    origin: undefined,
  })
  const { name, version, summary, reward, needs, skipReasons } = pipeline
  const { say } = context.output
  const engineReasons = Object.entries(ENGINE_SKIP_REASONS).filter(([reason]) => !Object.hasOwn(skipReasons, reason))
  if (context.output.json) {
    const options = toJsonSchema(pipeline.options, { typeMode: 'input', errorMode: 'ignore' })
    const reasons = { skip_reasons: skipReasons, engine_skip_reasons: Object.fromEntries(engineReasons) }
    context.output.result(jsonLine({ name, version, summary, reward, needs, options, ...reasons }))
    return 0
  }
  say(`${name} ${version}: ${summary}`)
  say(
    `reward ${reward}; needs ${needsText(pipeline, (await languageNames()).names)}; reads ${needs.source.join(', ') || 'nothing'} of the source`,
  )
  say('\noptions (--pipeline-opt KEY=VALUE, or pipeline.options in the file)')
  for (const row of optionRows(pipeline.options))
    say(`  ${row.key.padEnd(28)} ${row.type}, default ${row.default}\n      ${row.text}`)
  say('\nskip reasons')
  for (const [reason, text] of Object.entries(skipReasons)) say(`  ${reason.padEnd(28)} ${text}`)
  say('\nskip reasons that the engine gives')
  for (const [reason, text] of engineReasons) say(`  ${reason.padEnd(28)} ${text}`)
  return 0
}
