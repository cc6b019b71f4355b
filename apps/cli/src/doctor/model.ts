import { isR2eError, type ModelProbe, type RunConfig } from '@r2e/spec'
import { composeModel } from '../compose/model.ts'
import type { Context } from '../context.ts'
import type { Check } from './check.ts'

interface ModelCheckInput {
  readonly llm: NonNullable<RunConfig['llm']>
  readonly stateDirectory: string
  readonly context: Context
}

/** Whether a model answers that was named. Its price does not matter here. */
export async function modelCheck(input: ModelCheckInput): Promise<Check> {
  const { ok, detail, fix } = await probeOf(input)
  return { name: 'model', ok, needed: true, detail, fix, warnings: [] }
}

async function probeOf({ llm, stateDirectory, context }: ModelCheckInput): Promise<ModelProbe> {
  const { environment, signal } = context
  const config = { llm, max_spend_usd: 0, max_spend_tokens: 0 }
  try {
    await using composed = await composeModel({ config, stateDirectory, environment })
    return await composed.model.probe(signal)
  } catch (error) {
    if (!isR2eError(error)) throw error
    return { ok: false, detail: error.message, fix: error.fix }
  }
}
