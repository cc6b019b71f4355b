import { ENGINE_SKIP_REASONS } from '@r2e/engine'
import { ConfigSchema, type Pipeline } from '@r2e/spec'
import type { CommandSpec } from '../commands/command.ts'
import { GLOBAL_FLAGS } from '../commands/global-flags.ts'
import { modelText } from '../commands/pipelines-list.ts'
import { COMMANDS } from '../commands/table.ts'
import { loadPipeline, PIPELINES } from '../compose/pipelines.ts'
import { optionRows } from '../config/option-rows.ts'
import { code, table } from './markdown.ts'

/** The generated parts of docs/reference/SPEC.md, by name of their mark. */
export async function referenceBlocks(): Promise<Readonly<Record<string, string>>> {
  const place = { directory: '/', folder: '/', origin: undefined }
  const pipelines = await Promise.all(Object.keys(PIPELINES).map((name) => loadPipeline(name, place)))
  return {
    'global-flags': flagTable(GLOBAL_FLAGS),
    commands: COMMANDS.map(commandBlock).join('\n\n'),
    configuration: configurationTable(),
    pipelines: pipelines.map(pipelineBlock).join('\n\n'),
    'engine-skip-reasons': reasonTable(ENGINE_SKIP_REASONS),
  }
}

function flagTable(flags: CommandSpec['flags']): string {
  return table(
    ['flag', 'meaning', 'sets'],
    flags.map((flag) => [code(flag.flags), flag.text, code(flag.sets ?? (flag.section ? `${flag.section}.KEY` : ''))]),
  )
}

function commandBlock(spec: CommandSpec): string {
  const operands = (spec.operands ?? []).map(({ name }) => ` ${name.toUpperCase()}`).join('')
  return [
    `### \`r2e ${spec.name}${operands.replaceAll(/[<>]/g, '')}\``,
    `${spec.summary.charAt(0).toUpperCase()}${spec.summary.slice(1)}.`,
    ...(spec.flags.length > 0 ? [flagTable(spec.flags)] : []),
    ...exitLine(spec),
    ['```sh', ...spec.examples, '```'].join('\n'),
  ].join('\n\n')
}

function exitLine({ exits = {} }: CommandSpec): readonly string[] {
  const meanings = Object.entries(exits).map(([number, meaning]) => `${number} ${meaning}`)
  return meanings.length === 0 ? [] : [`Exit codes beside 0 and 2: ${meanings.join('; ')}.`]
}

function configurationTable(): string {
  return optionTable(optionRows(ConfigSchema))
}

function optionTable(rows: ReturnType<typeof optionRows>): string {
  return table(
    ['key', 'type', 'default', 'meaning'],
    rows.map((row) => [
      code(row.key),
      row.type,
      row.default.startsWith('none') ? 'required' : code(row.default),
      row.text,
    ]),
  )
}

function pipelineBlock(pipeline: Pipeline): string {
  const { name, summary, reward, needs, options, skipReasons } = pipeline
  const sandbox = needs.environment === 'none' ? 'needs no sandbox' : 'needs a sandbox'
  return [
    `### \`${name}\``,
    `${summary.charAt(0).toUpperCase()}${summary.slice(1)}. Reward: ${reward}; ${sandbox}, ${modelText(pipeline)}.`,
    optionTable(optionRows(options)),
    reasonTable(skipReasons),
  ].join('\n\n')
}

function reasonTable(reasons: Readonly<Record<string, string>>): string {
  return table(
    ['skip reason', 'meaning'],
    Object.entries(reasons).map(([reason, text]) => [code(reason), text]),
  )
}
