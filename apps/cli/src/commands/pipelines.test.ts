import { ENGINE_SKIP_REASONS } from '@r2e/engine'
import { languagePacks } from '@r2e/languages'
import { expect, it } from 'vitest'
import { inProcess } from '../__fixtures__/in-process.ts'
import { samplePipeline } from '../__fixtures__/spawn-cli.ts'
import { PIPELINES } from '../compose/pipelines.ts'

it('lists every pipeline with its needs and reward', async () => {
  const { stdout } = await inProcess(['pipelines', 'list'])
  for (const name of Object.keys(PIPELINES)) expect(stdout).toContain(`${name}\n  `)
  expect(stdout).toContain(
    `reward test_execution; needs a sandbox, a model where an option asks for one; ${languagePacks.map(({ name }) => name).join(', ')}`,
  )
  expect(stdout).toContain('reward diff_similarity; needs no sandbox, no model; any language')
  const rows = JSON.parse((await inProcess(['pipelines', 'list', '--json'])).stdout)
  expect(rows.map((row: { name: string }) => row.name)).toEqual(Object.keys(PIPELINES))
})

it('describes options with type, default and text, and every skip reason', async () => {
  const [own, engine] = (await inProcess(['pipelines', 'describe', samplePipeline])).stdout.split(
    '\n\nskip reasons that',
  )
  for (const reason of Object.keys(ENGINE_SKIP_REASONS)) expect(engine).toContain(`\n  ${reason} `)
  expect(own).toMatchInlineSnapshot(`
    "sample 1: proposes nothing; shows how options are read
    reward diff_similarity; needs no sandbox, no model; any language; reads commits of the source

    options (--pipeline-opt KEY=VALUE, or pipeline.options in the file)
      limit                        integer, default 50
          tasks to admit
      since                        string, default unset
          first day
      strictly                     boolean, default true
          a switch
      names                        list of string, default []
          a list
      kind                         "small" or "large", default "small"
          a choice

    skip reasons
      too_plain                    nothing to see"
  `)
})

it('gives the options as JSON Schema with --json', async () => {
  const { stdout } = await inProcess(['pipelines', 'describe', samplePipeline, '--json'])
  expect(JSON.parse(stdout)).toMatchObject({
    name: 'sample',
    options: {
      additionalProperties: false,
      properties: { limit: { type: 'integer', minimum: 1, default: 50, description: 'tasks to admit' } },
    },
    skip_reasons: { too_plain: 'nothing to see' },
  })
})

for (const name of Object.keys(PIPELINES)) {
  it(`describes ${name}: every option has a text, a default, a type, and every skip reason a meaning`, async () => {
    const { options, skip_reasons } = JSON.parse((await inProcess(['pipelines', 'describe', name, '--json'])).stdout)
    for (const [key, option] of Object.entries<Record<string, unknown>>(options.properties)) {
      expect([key, JSON.stringify(option)]).toEqual([key, expect.stringMatching(/"description":"\S/)])
      expect([key, Object.keys(option)]).toEqual([key, expect.arrayContaining(['default'])])
    }
    for (const [reason, text] of Object.entries(skip_reasons)) {
      expect(reason).toMatch(/^[a-z0-9_]+$/)
      expect(text).toMatch(/\S/)
    }
    expect((await inProcess(['pipelines', 'describe', name])).stdout).not.toMatch(/undefined|\[object/)
  })
}
