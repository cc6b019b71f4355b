export type Difficulty = 'trivial' | 'small' | 'medium' | 'large'

/** Contract §8: by changed lines; an executing task is trivial only with at most one fail-to-pass test. */
export function difficultyOf(changedLines: number, failToPass: number | undefined): Difficulty {
  if (changedLines <= 5 && (failToPass ?? 0) <= 1) return 'trivial'
  if (changedLines <= 20) return 'small'
  return changedLines <= 80 ? 'medium' : 'large'
}
