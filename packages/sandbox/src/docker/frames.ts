/** Splits the engine's stream of a process: per piece 4 bytes of kind, 4 of length (big-endian), then bytes. */
export function createFrames(take: (kind: 'stdout' | 'stderr', bytes: Uint8Array) => void): (chunk: Buffer) => void {
  const header = Buffer.alloc(8)
  let headerLength = 0
  let left = 0

  return (chunk) => {
    for (let at = 0; at < chunk.length; ) {
      if (left === 0) {
        const count = chunk.copy(header, headerLength, at)
        at += count
        headerLength = (headerLength + count) % 8
        if (headerLength === 0) left = header.readUInt32BE(4)
        continue
      }
      const piece = chunk.subarray(at, at + left)
      at += piece.length
      left -= piece.length
      take(header[0] === 2 ? 'stderr' : 'stdout', piece)
    }
  }
}
