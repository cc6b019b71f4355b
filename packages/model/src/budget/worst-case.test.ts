import type { ModelRequest } from '@r2e/spec'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { worstCase } from './worst-case.ts'

it('reserves a token for every byte of what is sent, and all output that is allowed', () => {
  fc.assert(
    fc.property(
      fc.string({ unit: 'binary' }),
      fc.string({ unit: 'binary' }),
      fc.nat(9999),
      (text, description, most) => {
        const request: ModelRequest = {
          messages: [
            { role: 'user', text },
            { role: 'assistant', text: '', toolCalls: [{ id: 'a', name: 'run', arguments: text }] },
            { role: 'tool', callId: 'a', text },
          ],
          tools: [{ name: 'run', description, parameters: { type: 'object' } }],
          maxOutputTokens: most,
        }
        const bytes = 3 * Buffer.byteLength(text) + Buffer.byteLength(description)
        const { inputTokens, outputTokens, nanoUsd } = worstCase(request, { input: 1000, output: 2000 })
        expect(inputTokens).toBeGreaterThan(bytes)
        expect([outputTokens, nanoUsd]).toEqual([most, inputTokens + 2 * most])
      },
    ),
  )
})
