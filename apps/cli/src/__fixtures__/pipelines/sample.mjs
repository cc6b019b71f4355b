import * as v from 'valibot'

const described = (schema, text) => v.pipe(schema, v.description(text))

/** A pipeline from outside the workspace: found by its path or package, known by its contract. */
export default {
  contract: 'r2e.pipeline/1',
  name: 'sample',
  version: '1',
  summary: 'proposes nothing; shows how options are read',
  reward: 'diff_similarity',
  needs: { source: ['commits'], environment: 'none', model: false, languages: 'any' },
  options: v.strictObject({
    limit: v.optional(described(v.pipe(v.number(), v.integer(), v.minValue(1)), 'tasks to admit'), 50),
    since: v.optional(v.nullable(described(v.string(), 'first day')), null),
    strictly: v.optional(described(v.boolean(), 'a switch'), true),
    names: v.optional(described(v.array(v.string()), 'a list'), []),
    kind: v.optional(described(v.picklist(['small', 'large']), 'a choice'), 'small'),
  }),
  candidate: v.object({ id: v.string(), base: v.string(), title: v.string() }),
  skipReasons: { too_plain: 'nothing to see' },
  async *discover() {},
  async draft(candidate) {
    return { kind: 'skip', id: candidate.id, reason: 'too_plain', detail: '' }
  },
}
