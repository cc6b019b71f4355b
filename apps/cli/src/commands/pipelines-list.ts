import { loadPipeline, PIPELINES } from '../compose/pipelines.ts'
import type { Context } from '../context.ts'
import { jsonLine } from '../output/json-line.ts'
import type { CommandRequest } from './command.ts'

export async function run(_request: CommandRequest, context: Context): Promise<number> {
  const place = { directory: context.directory, folder: context.directory, origin: undefined }
  const pipelines = await Promise.all(Object.keys(PIPELINES).map((name) => loadPipeline(name, place)))
  const rows = pipelines.map(({ name, version, summary, reward, needs }) => ({ name, version, summary, reward, needs }))
  if (context.output.json) context.output.result(jsonLine(rows))
  else {
    for (const { name, summary, reward, needs } of rows) {
      context.output.say(`${name}\n  ${summary}\n  reward ${reward}; needs ${needsText(needs)}`)
    }
  }
  return 0
}

export function needsText(needs: {
  environment: string
  model: boolean
  languages: 'any' | readonly string[]
}): string {
  const sandbox = needs.environment === 'none' ? 'no sandbox' : 'a sandbox'
  const languages = needs.languages === 'any' ? 'any language' : needs.languages.join(', ')
  return `${sandbox}, ${needs.model ? 'a model' : 'no model'}; ${languages}`
}
