import { isR2eError, type LanguageModel, type ModelLayer, type ModelProbe, R2eError, userError } from '@r2e/spec'

const MOST_FALLBACKS = 3

/**
 * Asks the next model where one has failed in a way that another may not share: transiently, retries being exhausted, or
 * for want of credit. Each keeps its own endpoint and key; the reply says who answered.
 * @throws R2eError `too_many_fallbacks`
 */
export function withFallback(...others: readonly LanguageModel[]): ModelLayer {
  if (others.length > MOST_FALLBACKS)
    throw userError('too_many_fallbacks', `${others.length} fallback models are given`, {
      fix: `give at most ${MOST_FALLBACKS}`,
    })
  return (first) => {
    if (others.length === 0) return first
    const chain = [first, ...others]
    return {
      name: first.name,
      identity: { chain: chain.map(({ identity }) => identity) },
      probe: (signal) => probeChain(chain, signal),
      async complete(request, call) {
        const failures: R2eError[] = []
        for (const model of chain) {
          try {
            return await model.complete(request, call)
          } catch (error) {
            call.signal.throwIfAborted()
            if (!isR2eError(error) || !mayFallBack(error)) throw error
            failures.push(error)
          }
        }
        throw noneAnswers(failures)
      },
    }
  }
}

function mayFallBack({ code, fault }: R2eError): boolean {
  return fault === 'transient' || code === 'model_quota_exhausted'
}

/** Every model of a chain has to work before a run begins: a fallback is needed when it is too late to mend it. */
async function probeChain(chain: readonly LanguageModel[], signal: AbortSignal): Promise<ModelProbe> {
  const probes: ModelProbe[] = []
  for (const model of chain) {
    const probe = await model.probe(signal)
    if (!probe.ok) return probe
    probes.push(probe)
  }
  return { ok: true, detail: probes.map(({ detail }) => detail).join(', ') }
}

function noneAnswers(failures: readonly R2eError[]): R2eError {
  const last = failures.at(-1)!
  const lines = failures.map(({ message }) => message)
  return new R2eError(last.code, last.fault, `no model of the chain answers: ${lines.join('; ')}`, {
    ...(last.fix !== undefined && { fix: last.fix }),
    details: last.details,
  })
}
