import assert from 'node:assert/strict'
import { type Candidate, SKIP_REASONS } from '@r2e/spec'
import { type PipelineRun, parse, type RunCheck } from './pipeline-run.ts'

/** A fact that shows without any repository. */
export interface DefinitionCheck {
  readonly title: string
  run(run: Pick<PipelineRun, 'pipeline' | 'written'>): Promise<void> | void
}

const SNAKE_CASE = /^[a-z][a-z0-9]*(?:_[a-z0-9]+)*$/

export const definitionChecks: readonly DefinitionCheck[] = [
  {
    title: 'has a name, a version and a summary as they are printed',
    run({ pipeline }) {
      assert.equal(pipeline.contract, 'r2e.pipeline/1')
      assert.match(pipeline.name, SNAKE_CASE)
      assert.match(pipeline.version, /^\S+$/)
      assert.match(pipeline.summary, /^\S.*[^.\n]$/)
      for (const reason of Object.keys(pipeline.skipReasons)) assert.match(reason, SNAKE_CASE)
    },
  },
  {
    title: 'names its options in snake_case and has a default for each that it does not ask for',
    async run({ pipeline, written }) {
      const options = (await parse(pipeline.options, written)) as object
      for (const key of Object.keys(options)) assert.match(key, SNAKE_CASE)
      assert.deepEqual(await parse(pipeline.options, { ...options }), options)
    },
  },
  {
    title: 'refuses an option that it does not know',
    async run({ pipeline, written }) {
      const result = await pipeline.options['~standard'].validate({ ...written, no_such_option: 1 })
      assert.notEqual(result.issues, undefined)
    },
  },
]

export const candidateChecks: readonly RunCheck[] = [
  {
    title: 'finds candidates with ids of their own',
    run({ found }) {
      const ids = found.map((item) => (item.kind === 'found' ? item.candidate.id : item.id))
      assert.equal(new Set(ids).size, ids.length)
      for (const id of ids) assert.match(id, /^-[A-Za-z0-9][A-Za-z0-9._-]*$/)
      assert.notEqual(candidatesOf(found).length, 0)
    },
  },
  {
    title: 'gives candidates that live through JSON and their own schema',
    async run({ pipeline, found }) {
      for (const candidate of candidatesOf(found)) {
        const stored = JSON.parse(JSON.stringify(candidate))
        assert.deepEqual(stored, candidate)
        assert.deepEqual(await parse(pipeline.candidate, stored), candidate)
        assert.match(candidate.base, /^[0-9a-f]{40,64}$/)
        assert.doesNotMatch(candidate.title, /\n/)
      }
    },
  },
  {
    title: 'explains each candidate that it leaves out with a reason that it declares',
    async run({ pipeline, found, draft }) {
      const drafted = await Promise.all(candidatesOf(found).map(draft))
      for (const item of [...found, ...drafted]) {
        if (item.kind !== 'skip') continue
        assert.ok(item.reason in pipeline.skipReasons, `${item.reason} is not declared`)
        const known = (SKIP_REASONS as readonly string[]).includes(item.reason)
        assert.ok(known || SNAKE_CASE.test(item.reason), item.reason)
        assert.match(item.detail, /^\S.*$/)
      }
    },
  },
]

function candidatesOf(found: PipelineRun['found']): readonly Candidate[] {
  return found.flatMap((item) => (item.kind === 'found' ? [item.candidate] : []))
}
