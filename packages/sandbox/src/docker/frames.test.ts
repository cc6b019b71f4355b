import { expect, it } from 'vitest'
import { createFrames } from './frames.ts'

function frame(kind: number, text: string): Buffer {
  const header = Buffer.from([kind, 0, 0, 0, 0, 0, 0, 0])
  header.writeUInt32BE(Buffer.byteLength(text, 'latin1'), 4)
  return Buffer.concat([header, Buffer.from(text, 'latin1')])
}

it('splits the two streams wherever the chunks are cut', () => {
  const whole = Buffer.concat([frame(1, 'out\xff'), frame(2, 'err'), frame(1, ''), frame(1, 'more'), frame(2, '\0')])
  for (let size = 1; size <= whole.length; size++) {
    const seen = { stdout: '', stderr: '' }
    const feed = createFrames((kind, bytes) => {
      seen[kind] += Buffer.from(bytes).toString('latin1')
    })
    for (let at = 0; at < whole.length; at += size) feed(whole.subarray(at, at + size))
    expect(seen).toEqual({ stdout: 'out\xffmore', stderr: 'err\0' })
  }
})
