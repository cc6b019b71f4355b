import { openAreas } from '../cache/open-areas.ts'
import { sizeText } from '../config/parse-size.ts'
import type { Context } from '../context.ts'
import { jsonLine } from '../output/json-line.ts'
import { printable } from '../output/printable.ts'
import { ageText } from '../ui/age-text.ts'
import type { CommandRequest } from './command.ts'

export async function run({ flags, operands }: CommandRequest, context: Context): Promise<number> {
  const { output } = context
  const [area] = openAreas(flags, operands[0]!, context)
  const entries = [...(await area!.entries())].sort((a, b) => b.bytes - a.bytes)
  if (output.json) {
    const rows = entries.map(({ name, bytes, usedAt }) => ({ name, bytes, used_at: new Date(usedAt).toISOString() }))
    output.result(jsonLine({ name: area!.name, path: area!.path, entries: rows }))
    return 0
  }
  const now = context.now().getTime()
  for (const { name, bytes, usedAt } of entries)
    output.say(`${sizeText(bytes).padStart(7)}  ${ageText(now - usedAt).padStart(4)}  ${printable(name)}`)
  output.say(`${entries.length} in ${printable(area!.path)}: ${area!.text}`)
  return 0
}
