import { isR2eError, type LanguageModel, type ModelProbe, type ModelRequest } from '@r2e/spec'

/** Enough for models that refuse a limit too low to think. */
const PROBE_REQUEST: ModelRequest = {
  messages: [{ role: 'user', text: 'Answer with the word: ready' }],
  maxOutputTokens: 64,
}

/** A probe by a model's own `complete`, so that what lies in between (a budget, retries) covers the probe as well. */
export async function probeBy(complete: LanguageModel['complete'], signal: AbortSignal): Promise<ModelProbe> {
  try {
    const { model } = await complete(PROBE_REQUEST, { phase: 'probe', signal })
    return { ok: true, detail: `${model} answers` }
  } catch (error) {
    signal.throwIfAborted()
    if (!isR2eError(error)) throw error
    return { ok: false, code: error.code, detail: error.message, fix: error.fix }
  }
}
