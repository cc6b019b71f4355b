import { environmentNamed, openStore } from '../compose/environment-store.ts'
import { cacheDirectoryOf } from '../config/resolve-bootstrap.ts'
import type { Context } from '../context.ts'
import { jsonLine } from '../output/json-line.ts'
import { clip, printable } from '../output/printable.ts'
import { environmentLines } from '../ui/bootstrap-lines.ts'
import { quoted } from '../ui/quoted.ts'
import type { CommandRequest } from './command.ts'

export async function run({ flags, operands }: CommandRequest, context: Context): Promise<number> {
  const { output } = context
  const store = await openStore(cacheDirectoryOf(flags, context))
  const { id, path, record } = environmentNamed(await store.list(), operands[0]!)
  const stored = await store.recipe(record.extra.key)
  if (output.json) {
    output.result(jsonLine({ id, path, record, recipe: stored?.recipe ?? null, proof: stored?.proof ?? null }))
    return 0
  }
  output.say(`environment ${printable(id)}: ${printable(record.repo)} at ${record.ref.slice(0, 12)}`)
  for (const { fact, file } of stored?.recipe.origin ?? [])
    output.say(`           ${clip(file, 60)}: ${clip(fact, 100)}`)
  for (const [tool, version] of Object.entries(record.toolchain)) output.say(`tool     ${tool}: ${clip(version, 100)}`)
  output.say(`packages ${record.packages.length}; --json names them`)
  const typed = [`--repo ${quoted(record.extra.source)}`, `--ref ${record.ref}`]
  for (const line of environmentLines(record, { directory: path, flags: typed })) output.say(line)
  if (!stored) output.warn('warning: its recipe is damaged or gone; r2e bootstrap makes it again')
  return 0
}
