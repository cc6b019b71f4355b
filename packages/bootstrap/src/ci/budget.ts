/**
 * What the CI files of one tree may cost, all together. They refer to each other and repeat themselves (anchors, matrices,
 * actions, targets, variables), so that a few lines can stand for any number of commands: limits for each alone would multiply.
 */
export interface Budget {
  commands: number
  /** Of all texts that are made, those that are copied among them. */
  bytes: number
}

export function openBudget(): Budget {
  return { commands: 20_000, bytes: 16 * 1024 * 1024 }
}

/** Thrown where a text stands for more than a person would write. */
export class TooMuch extends Error {}

/** @throws TooMuch where nothing is left, then and ever after */
export function spend(budget: Budget, { commands = 0, bytes = 0 }: Partial<Budget>): void {
  budget.commands -= commands
  budget.bytes -= bytes
  if (budget.commands < 0 || budget.bytes < 0) throw new TooMuch()
}
