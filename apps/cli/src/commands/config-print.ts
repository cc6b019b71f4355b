import { isMapping } from '../config/layer.ts'
import { originText } from '../config/origin.ts'
import { resolveConfig } from '../config/resolve.ts'
import type { Context } from '../context.ts'
import { jsonLine } from '../output/json-line.ts'
import { printable } from '../output/printable.ts'
import type { CommandRequest } from './command.ts'

interface Row {
  readonly path: string
  readonly value: unknown
  readonly origin: string
}

export async function run({ flags }: CommandRequest, context: Context): Promise<number> {
  const { config, origins, stateDirectory } = await resolveConfig(flags, context)
  const rows = leaves(config, '').map(({ path, value }) => {
    const origin = origins.get(path)
    return { path, value, origin: origin ? originText(origin) : 'default' }
  })
  if (context.output.json) context.output.result(jsonLine({ config, values: rows, state_dir: stateDirectory }))
  else for (const line of table([...rows, stateRow(stateDirectory, flags)])) context.output.say(line)
  return 0
}

function stateRow(value: string, flags: CommandRequest['flags']): Row {
  return { path: '(state folder)', value, origin: flags.has('state-dir') ? '--state-dir' : 'default' }
}

/** Every value that is no section; an empty section has none. */
function leaves(value: unknown, path: string): readonly { path: string; value: unknown }[] {
  if (!isMapping(value)) return [{ path, value }]
  return Object.entries(value).flatMap(([key, inner]) => leaves(inner, path === '' ? key : `${path}.${key}`))
}

function table(rows: readonly Row[]): readonly string[] {
  const cells = rows.map(({ path, value, origin }) => [
    path,
    printable(JSON.stringify(value) ?? 'null'),
    printable(origin),
  ])
  const width = (column: number): number => Math.max(...cells.map((cell) => Math.min(cell[column]!.length, 48)))
  const [first, second] = [width(0), width(1)]
  return cells.map(([path, value, origin]) => `${path!.padEnd(first)}  ${value!.padEnd(second)}  ${origin}`)
}
