const STEPS = [
  [86_400_000, 'd'],
  [3_600_000, 'h'],
  [60_000, 'm'],
  [1000, 's'],
] as const

/** `3d`, `12h`, `5m`, `0s`: the largest unit alone. */
export function ageText(ms: number): string {
  const [unit, letter] = STEPS.find(([least]) => ms >= least) ?? [1000, 's']
  return `${Math.max(0, Math.floor(ms / unit))}${letter}`
}
