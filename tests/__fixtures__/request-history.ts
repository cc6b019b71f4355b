import type { RepositoryStep } from '../../packages/testing/src/index.ts'

/** A module of these lines. */
export const part = (lines: readonly string[]) => ({ 'part.py': `${lines.join('\n')}\n` })
export const start: RepositoryStep = { commit: 'Start', files: part(['a = 1']) }

/** Requests `#1` to `#count`, squashed, each with three lines of its own. */
export const requests = (count: number): RepositoryStep[] => {
  const lines = ['a = 1']
  const steps = Array.from({ length: count }, (_, i): RepositoryStep => {
    for (const name of ['x', 'y', 'z']) lines.push(`${name}${i + 1} = ${i}`)
    return {
      commit: `Fix the missing names of part ${i + 1} (#${i + 1})\n\nThey were not defined.`,
      files: part(lines),
    }
  })
  return [start, ...steps]
}

