import * as v from 'valibot'

const isFunction = v.function('must be a function')
const isSchema = v.custom<object>(
  (value) => typeof value === 'object' && value !== null && 'kind' in value && value.kind === 'schema',
  'must be a schema of valibot',
)

/** What the engine relies on before it calls a pipeline; plain JavaScript has no compiler that would say it. */
const PipelineShape = v.looseObject({
  name: v.pipe(v.string('must be a text'), v.regex(/^[a-z][a-z0-9_]*$/, 'must be snake_case')),
  version: v.pipe(v.string('must be a text'), v.minLength(1, 'must not be empty')),
  summary: v.string('must be a text'),
  reward: v.picklist(
    ['test_execution', 'diff_similarity', 'program'],
    'must be test_execution, diff_similarity or program',
  ),
  needs: v.looseObject(
    {
      source: v.array(
        v.picklist(['commits', 'pullRequests', 'issues', 'advisories'], 'is no capability of a source'),
        'must be a list',
      ),
      environment: v.picklist(['none', 'before-draft', 'before-verify'], 'must be none, before-draft or before-verify'),
      model: v.boolean('must be true or false'),
      languages: v.union([v.literal('any'), v.array(v.string())], 'must be "any" or a list of names'),
    },
    'must be an object',
  ),
  options: isSchema,
  candidate: isSchema,
  usesModel: v.optional(isFunction),
  skipReasons: v.record(v.string(), v.string('must be a text'), 'must be an object'),
  discover: isFunction,
  draft: isFunction,
})

/** What is wrong with a pipeline, as `field: what it must be`; undefined for one in order. */
export function pipelineFault(pipeline: unknown): string | undefined {
  const { issues = [] } = v.safeParse(PipelineShape, pipeline)
  const faults = issues.map((issue) => {
    const missing = issue.message.startsWith('Invalid key: Expected')
    return `${v.getDotPath(issue) ?? 'it'} ${missing ? 'is missing' : issue.message}`
  })
  return faults.length === 0 ? undefined : faults.join('; ')
}
