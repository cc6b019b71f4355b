import { R2eError } from '@r2e/spec'
import * as v from 'valibot'

/** Goes wrong in the way its option names. */
export default {
  contract: 'r2e.pipeline/1',
  name: 'faulty',
  version: '1',
  summary: 'fails on purpose',
  reward: 'diff_similarity',
  needs: { source: ['commits'], environment: 'none', model: false, languages: 'any' },
  options: v.strictObject({ limit: v.optional(v.number(), 5), mode: v.optional(v.string(), 'bug') }),
  candidate: v.object({ id: v.string(), base: v.string(), title: v.string() }),
  skipReasons: {},
  async *discover({ options, repository, signal }) {
    if (options.mode === 'none') return
    yield { kind: 'found', candidate: { id: '-1', base: repository.head, title: '\u001b[2Jone' } }
    if (options.mode === 'deaf') {
      for (;;) await new Promise((done) => setTimeout(done, 1000))
    }
    if (options.mode === 'wait') {
      signal.throwIfAborted()
      await new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)))
    }
  },
  async draft(candidate, { options }) {
    if (options.mode === 'transient') throw new R2eError('line_down', 'transient', 'the line is down')
    if (options.mode === 'bug') throw new TypeError('a mistake of ours')
    return { kind: 'skip', id: candidate.id, reason: 'too_plain', detail: 'nothing to see' }
  },
}
