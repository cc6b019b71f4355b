import * as v from 'valibot'

const texts = v.array(v.string())

/** Lists of test ids: `tests/f2p.json`, `tests/p2p.json`. */
export const IdListSchema = v.pipe(
  texts,
  v.check((ids) => new Set(ids).size === ids.length, 'an id stands in it twice'),
)

/** `tests/run.json`, as far as it must be right for a run to mean anything. */
export const RunPlanSchema = v.looseObject({
  schema: v.literal('r2e.run/1'),
  workdir: v.pipe(v.string(), v.startsWith('/')),
  format: v.string(),
  commands: v.pipe(
    v.array(v.looseObject({ argv: v.pipe(texts, v.minLength(1, 'a command is empty')) })),
    v.minLength(1, 'it has no test command'),
  ),
  timeout_sec: v.pipe(v.number(), v.minValue(1)),
})

const copies = v.array(v.looseObject({ path: v.string(), from: v.string(), sha256: v.string() }))

/** `tests/restore.json`. */
export const RestorePlanSchema = v.looseObject({
  schema: v.literal('r2e.restore/1'),
  files: copies,
  delete: texts,
  inline: v.optional(v.looseObject({ language: v.pipe(v.string(), v.regex(/^[a-z]+$/)), files: copies })),
})

/** `tests/contents.json`. */
export const ContentsSchema = v.looseObject({ schema: v.literal('r2e.contents/1'), files: texts })

/** `tests/diff.json`. */
export const DiffPlanSchema = v.looseObject({
  schema: v.literal('r2e.diff/1'),
  metric: v.picklist(['ratio_v07', 'changed_lines', 'applied_changes']),
  diff: v.pipe(texts, v.minLength(1)),
  base: v.optional(v.string()),
})
