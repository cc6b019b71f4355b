/** What lies between two markers. Bytes above the limit are dropped, and `truncated` says so. */
export interface StreamRecord {
  readonly bytes: Buffer
  readonly truncated: boolean
}

/** Cuts a stream at each marker. What comes before the first one is dropped; memory stays below the limit. */
export async function* splitRecords(
  chunks: AsyncIterable<Buffer>,
  marker: Buffer,
  limit: number,
): AsyncGenerator<StreamRecord, void> {
  let collected: Collected | undefined
  let carry: Buffer = Buffer.alloc(0)
  for await (const chunk of chunks) {
    let rest = carry.length === 0 ? chunk : Buffer.concat([carry, chunk])
    for (let at = rest.indexOf(marker); at !== -1; at = rest.indexOf(marker)) {
      if (collected !== undefined) yield finish(add(collected, rest.subarray(0, at), limit))
      collected = { parts: [], size: 0, truncated: false }
      rest = rest.subarray(at + marker.length)
    }
    // The marker may lie across two chunks.
    const kept = Math.max(0, rest.length - marker.length + 1)
    if (collected !== undefined) add(collected, rest.subarray(0, kept), limit)
    carry = rest.subarray(kept)
  }
  if (collected !== undefined) yield finish(add(collected, carry, limit))
}

interface Collected {
  readonly parts: Buffer[]
  size: number
  truncated: boolean
}

function add(collected: Collected, bytes: Buffer, limit: number): Collected {
  const room = limit - collected.size
  const kept = bytes.length > room ? bytes.subarray(0, room) : bytes
  if (kept.length < bytes.length) collected.truncated = true
  if (kept.length > 0) collected.parts.push(kept)
  collected.size += kept.length
  return collected
}

function finish(collected: Collected): StreamRecord {
  return { bytes: Buffer.concat(collected.parts, collected.size), truncated: collected.truncated }
}
