const REORDER_BUFFER = 512

/**
 * Works on many items at one time and gives the results in the order of the items, so that what is taken never depends
 * on timing. At most `width` items are worked on and as many wait for their turn; a bounded number of finished results
 * waits for an earlier one. When the consumer stops, items not yet begun are never begun.
 */
export async function* inOrder<Item, Result>(
  items: AsyncGenerator<Item, unknown>,
  work: (item: Item) => Promise<Result>,
  width: number,
): AsyncGenerator<Result, void> {
  const gate = semaphore(width)
  const pending: Promise<Result>[] = []
  let exhausted = false
  let stopped = false
  let unsettled = 0
  const start = (item: Item) => {
    const result = gate(() => {
      if (stopped) throw new Error('stopped')
      return work(item)
    })
    unsettled++
    result.catch(() => {}).finally(() => unsettled--)
    pending.push(result)
  }
  try {
    while (!exhausted || pending.length > 0) {
      while (!exhausted && unsettled < width * 2 && pending.length < REORDER_BUFFER) {
        const next = await items.next()
        if (next.done) exhausted = true
        else start(next.value)
      }
      const first = pending.shift()
      if (first) yield await first
    }
  } finally {
    stopped = true
    await items.return(undefined)
    await Promise.allSettled(pending)
  }
}

function semaphore(width: number) {
  let free = width
  const waiting: (() => void)[] = []
  return async <T>(task: () => T | Promise<T>): Promise<T> => {
    if (free > 0) free--
    else await new Promise<void>((resume) => waiting.push(resume))
    try {
      return await task()
    } finally {
      const next = waiting.shift()
      if (next) next()
      else free++
    }
  }
}
