import type { Pipeline } from '@r2e/spec'
import { languageNames } from '../compose/languages.ts'
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
    const { names } = await languageNames()
    for (const { name, summary, reward, ...needing } of pipelines) {
      context.output.say(`${name}\n  ${summary}\n  reward ${reward}; needs ${needsText(needing, names)}`)
    }
  }
  return 0
}

/** What a pipeline needs, in words; one that runs tests takes the languages that have recipes. */
export function needsText(pipeline: Needing, withRecipes: readonly string[]): string {
  const { environment, languages } = pipeline.needs
  const sandbox = environment === 'none' ? 'no sandbox' : 'a sandbox'
  const taken = languages === 'any' ? (environment === 'none' ? ['any language'] : withRecipes) : languages
  return `${sandbox}, ${modelText(pipeline)}; ${taken.join(', ')}`
}

export type Needing = Pick<Pipeline, 'needs' | 'usesModel'>

export function modelText({ needs, usesModel }: Needing): string {
  return needs.model ? 'a model' : usesModel ? 'a model where an option asks for one' : 'no model'
}
