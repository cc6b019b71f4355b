import { expect, it } from 'vitest'
import { pipelineFault } from './pipeline-shape.ts'
import { loadPipeline, PIPELINES } from './pipelines.ts'

const place = { directory: '/', folder: '/', origin: undefined }

it('finds nothing wrong with the pipelines that come along', async () => {
  for (const name of Object.keys(PIPELINES)) expect(pipelineFault(await loadPipeline(name, place))).toBeUndefined()
})

it('names each field that is missing or wrong', async () => {
  const { summary: _summary, ...pipeline } = await loadPipeline('pr_diff', place)
  expect(pipelineFault(pipeline)).toBe('summary is missing')
  const wrong = {
    ...pipeline,
    summary: 'x',
    name: 'My-Pipeline',
    draft: 1,
    needs: { ...pipeline.needs, source: ['x'] },
  }
  expect(pipelineFault(wrong)).toBe(
    'name must be snake_case; needs.source.0 is no capability of a source; draft must be a function',
  )
  expect(pipelineFault({ ...pipeline, summary: 'x', options: {} })).toBe('options must be a schema of valibot')
})
