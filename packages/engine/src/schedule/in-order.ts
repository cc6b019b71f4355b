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
  const pending: Entry<Result>[] = []
  let exhausted = false
  let stopped = false
  let unsettled = 0
  let wake = () => {}
  const start = (item: Item) => {
    const result = gate(() => {
      if (stopped) throw new Error('stopped')
      return work(item)
    })
    const entry: Entry<Result> = { result, settled: false }
    const settle = () => {
      entry.settled = true
      unsettled--
      wake()
    }
    unsettled++
    result.then(settle, settle)
    pending.push(entry)
  }
  try {
    while (!exhausted || pending.length > 0) {
      while (!exhausted && unsettled < width * 2 && pending.length < REORDER_BUFFER) {
        const next = await items.next()
        if (next.done) exhausted = true
        else start(next.value)
      }
      const [first] = pending
      if (first?.settled) yield await pending.shift()!.result
      else if (first) await new Promise<void>((resolve) => (wake = resolve))
    }
  } finally {
    stopped = true
    await items.return(undefined)
    await Promise.allSettled(pending.map((entry) => entry.result))
  }
}

interface Entry<Result> {
  readonly result: Promise<Result>
  settled: boolean
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
