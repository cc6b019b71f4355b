import type { Budget, JsonObject, ModelPhase, SpendPurpose, SpendTotal } from '@r2e/spec'

const PHASES = ['probe', 'bootstrap', 'instructions', 'judge', 'synthesis'] as const satisfies readonly ModelPhase[]

/** What models cost, in all and by phase: of a whole run, or of one task. Undefined where none was called. */
export function spendReport(budget: Budget | undefined, of: Pick<SpendPurpose, 'task'> = {}): JsonObject | undefined {
  const total = budget?.spent(of)
  if (!budget || !total || total.calls === 0) return undefined
  const spent = PHASES.map((phase) => [phase, budget.spent({ ...of, phase })] as const)
  const phases = spent.filter(([, { calls }]) => calls > 0).map(([phase, sum]) => [phase, row(sum)] as const)
  return { ...row(total), phases: Object.fromEntries(phases) }
}

/** `cost_usd` null = unknown, which is not 0: a price is missing. Calls that broke are counted with the most they can have cost. */
function row({ calls, inputTokens, outputTokens, nanoUsd, unpriced, unsettled }: SpendTotal): JsonObject {
  return {
    calls,
    input_tokens: inputTokens,
    output_tokens: outputTokens,
    cost_usd: unpriced > 0 ? null : nanoUsd / 1e9,
    ...(unsettled > 0 && { at_most: true }),
  }
}
