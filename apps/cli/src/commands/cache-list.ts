import { openAreas } from '../cache/open-areas.ts'
import { sizeText } from '../config/parse-size.ts'
import type { Context } from '../context.ts'
import { jsonLine } from '../output/json-line.ts'
import { ageText } from '../ui/age-text.ts'
import type { CommandRequest } from './command.ts'

export async function run({ flags }: CommandRequest, context: Context): Promise<number> {
  const { output } = context
  const rows = await Promise.all(
    openAreas(flags, undefined, context).map(async ({ name, text, path, entries }) => {
      const found = await entries()
      const bytes = found.reduce((sum, entry) => sum + entry.bytes, 0)
      const oldest = found.length === 0 ? null : Math.min(...found.map(({ usedAt }) => usedAt))
      return { name, text, path, entries: found.length, bytes, oldest }
    }),
  )
  if (output.json) {
    const caches = rows.map(({ oldest, ...row }) => ({ ...row, oldest: oldest && new Date(oldest).toISOString() }))
    output.result(jsonLine({ caches }))
    return 0
  }
  const now = context.now().getTime()
  for (const { name, text, entries, bytes, oldest } of rows) {
    const age = oldest === null ? '' : `oldest ${ageText(now - oldest)}`
    output.say(
      [name.padEnd(13), String(entries).padStart(6), sizeText(bytes).padStart(7), age.padEnd(12), text].join('  '),
    )
  }
  output.say(
    `${'all'.padEnd(13)}  ${' '.repeat(6)}  ${sizeText(rows.reduce((sum, row) => sum + row.bytes, 0)).padStart(7)}`,
  )
  return 0
}
