/**
 * Runs the works in turn (A B A B …) and answers the samples of each: load that comes and goes meets both. Every work
 * answers what it measured; the first round warms caches and compilers and is dropped.
 */
export async function inTurn(rounds, works, signal) {
  const samples = works.map(() => [])
  for (let round = 0; round <= rounds; round++)
    for (const [index, work] of works.entries()) {
      signal?.throwIfAborted()
      const value = await work(round)
      if (round > 0) samples[index].push(value)
    }
  return samples
}

/** Milliseconds on the clock. */
export async function wallOf(work) {
  const begin = performance.now()
  await work()
  return performance.now() - begin
}

/** Milliseconds of processor time of this process: other load does not count. */
export function cpuOf(work) {
  const begin = process.cpuUsage()
  work()
  const { user, system } = process.cpuUsage(begin)
  return (user + system) / 1000
}

export function quantile(values, part) {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))]
}

export const median = (values) => quantile(values, 0.5)
