import { openStore } from '../compose/environment-store.ts'
import { cacheDirectoryOf } from '../config/resolve-bootstrap.ts'
import type { Context } from '../context.ts'
import { jsonLine } from '../output/json-line.ts'
import { printable } from '../output/printable.ts'
import type { CommandRequest } from './command.ts'

export async function run({ flags }: CommandRequest, context: Context): Promise<number> {
  const { output } = context
  const directory = cacheDirectoryOf(flags, context)
  const found = await (await openStore(directory)).list()
  if (output.json) {
    const environments = found.map(({ id, path, record, usedAt }) => ({
      id,
      path,
      repo: record.repo,
      ref: record.ref,
      language: record.language,
      strategy: record.strategy,
      sandbox: record.extra.sandbox,
      image_tag: record.image_tag,
      made_at: record.extra.made_at,
      used_at: new Date(usedAt).toISOString(),
    }))
    output.result(jsonLine({ directory, environments }))
    return 0
  }
  const width = Math.max(0, ...found.map(({ id }) => id.length))
  for (const { id, record } of found) {
    const { language, runner, strategy, extra } = record
    const how = strategy === 'agent' ? 'mended by a model' : 'inferred'
    const facts = [language, runner, extra.sandbox, how, extra.made_at.slice(0, 10)].map(printable).join(', ')
    output.say(`${printable(id).padEnd(width)}  ${facts}`)
  }
  if (found.length === 0) output.say(`there is no environment in ${directory}\nnext     r2e bootstrap --repo PATH`)
  return 0
}
