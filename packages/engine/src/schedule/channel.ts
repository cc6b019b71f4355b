/** Bridges callbacks to a generator: many writers, one reader, order kept. */
export interface Channel<T> {
  push(value: T): void
  /** Yields what was pushed until `work` has settled and the queue is empty; then answers its result or throws. */
  drain<R>(work: Promise<R>): AsyncGenerator<T, R>
}

export function createChannel<T>(): Channel<T> {
  const queue: T[] = []
  let wake = () => {}
  return {
    push(value) {
      queue.push(value)
      wake()
    },
    async *drain(work) {
      let done = false
      const settled = work.then(
        (value) => ({ ok: true as const, value }),
        (error: unknown) => ({ ok: false as const, error }),
      )
      settled.then(() => {
        done = true
        wake()
      })
      while (!done || queue.length > 0) {
        while (queue.length > 0) yield queue.shift() as T
        if (!done) await new Promise<void>((resolve) => (wake = resolve))
      }
      const outcome = await settled
      if (outcome.ok) return outcome.value
      throw outcome.error
    },
  }
}
