/** Keeps the head and the tail of a stream of any length in bounded memory. */
export interface OutputWindow {
  push(chunk: Uint8Array): void
  /** True once bytes were left out. */
  readonly truncated: boolean
  /** What was kept; a line in the middle says how many bytes are left out, where some are. */
  bytes(): Uint8Array
}

/** @param limit bytes kept, half of them the head. */
export function createOutputWindow(limit: number): OutputWindow {
  const headLimit = Math.ceil(limit / 2)
  const tailLimit = limit - headLimit
  let head = Buffer.alloc(0)
  let headLength = 0
  let ring: Buffer | undefined
  let seen = 0

  function keepHead(chunk: Uint8Array): void {
    const needed = headLength + chunk.length
    if (needed > head.length) {
      const grown = Buffer.alloc(Math.min(headLimit, Math.max(needed, head.length * 2, 4096)))
      head.copy(grown, 0, 0, headLength)
      head = grown
    }
    head.set(chunk, headLength)
    headLength = needed
  }

  function keepTail(chunk: Uint8Array): void {
    if (tailLimit === 0) return
    ring ??= Buffer.alloc(tailLimit)
    const last = chunk.subarray(Math.max(0, chunk.length - tailLimit))
    const at = (seen - headLimit + chunk.length - last.length) % tailLimit
    const first = last.subarray(0, tailLimit - at)
    ring.set(first, at)
    ring.set(last.subarray(first.length), 0)
  }

  return {
    push(chunk) {
      const forHead = chunk.subarray(0, headLimit - headLength)
      if (forHead.length > 0) keepHead(forHead)
      seen += forHead.length
      const rest = chunk.subarray(forHead.length)
      if (rest.length > 0) keepTail(rest)
      seen += rest.length
    },
    get truncated() {
      return seen > limit
    },
    bytes() {
      const start = head.subarray(0, headLength)
      const tailLength = Math.min(seen - headLength, tailLimit)
      if (!ring || tailLength === 0) return seen > limit ? Buffer.concat([start, note(seen - limit)]) : start
      if (seen <= limit) return Buffer.concat([start, ring.subarray(0, tailLength)])
      const at = (seen - headLimit) % tailLimit
      return Buffer.concat([start, note(seen - limit), ring.subarray(at), ring.subarray(0, at)])
    },
  }
}

function note(count: number): Buffer {
  return Buffer.from(`\n[${count} bytes left out]\n`)
}
