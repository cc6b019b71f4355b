import { describe, expect, it } from 'vitest'
import { changeKey } from './store-task.ts'

const patch = (at: string, index: string, line: string) =>
  Buffer.from(`diff --git a/x b/x\nindex ${index}\n--- a/x\n+++ b/x\n@@ ${at} @@ def f():\n-old\n+${line}\n`, 'latin1')

describe('changeKey', () => {
  it('is equal for the same change at other lines and between other blobs', () => {
    expect(changeKey(patch('-1 +1', '1..2', 'new'))).toBe(changeKey(patch('-9,2 +9,2', '3..4', 'new')))
  })

  it('differs for any other byte, also one that is no text', () => {
    expect(changeKey(patch('-1 +1', '1..2', 'caf\xe9'))).not.toBe(changeKey(patch('-1 +1', '1..2', 'caf\xe8')))
  })
})
