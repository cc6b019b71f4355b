import { readFile, writeFile } from 'node:fs/promises'
import { fakeModel } from '@r2e/testing'
import { describe, expect, it } from 'vitest'
import { asking, calling, faultOf } from '../__fixtures__/calls.ts'
import { testFolder } from '../__fixtures__/folder.ts'
import { KEY } from '../__fixtures__/servers.ts'
import { createReplayModel, withTranscript } from './index.ts'

const usage = { inputTokens: 3, outputTokens: 2 }

async function recorded(secrets: readonly string[] = []) {
  const path = `${await testFolder()}/below/transcript.jsonl`
  const inner = fakeModel({ answer: ({ messages }, index) => ({ text: `${messages[0]!.text} ${index}`, usage }) })
  return { path, model: withTranscript({ path, secrets })(inner), replay: createReplayModel({ transcript: path }) }
}

describe('a transcript', () => {
  it('answers each request as it was answered, for nothing, whatever its order', async () => {
    const { model, replay } = await recorded()
    await Promise.all(['a', 'b', 'c'].map((text) => model.complete(asking(text), calling())))
    const replies = []
    for (const text of ['c', 'a', 'b']) replies.push(await replay.complete(asking(text), calling()))
    expect(replies.map(({ text }) => text)).toEqual(['c 2', 'a 0', 'b 1'])
    expect(replies[0]).toEqual({
      text: 'c 2',
      toolCalls: [],
      end: 'stop',
      usage,
      model: 'fake/model',
      cached: true,
      nanoUsd: 0,
    })
  })

  it('gives equal requests the reply that was recorded first', async () => {
    const { model, replay } = await recorded()
    for (const _ of [1, 2]) await model.complete(asking('a'), calling())
    const texts = [1, 2, 3].map(async () => (await replay.complete(asking('a'), calling())).text)
    expect(await Promise.all(texts)).toEqual(['a 0', 'a 0', 'a 0'])
  })

  it('names the request that it has no reply to', async () => {
    const { model, replay, path } = await recorded()
    await model.complete(asking('a'), calling())
    const call = calling({ phase: 'judge', task: 'o__r-1' })
    const fault = await faultOf(replay.complete(asking('Is this text clear?\nIt is long.'), call))
    expect([fault.code, fault.fault]).toEqual(['reply_not_recorded', 'user'])
    expect(fault.message).toMatch(/has no reply to sha256:[0-9a-f]{64} \(judge, o__r-1\): "Is this text clear\?"$/)
    expect(fault.message).toContain(path)
  })

  it('holds no secret, and still answers the request that held one', async () => {
    const { model, replay, path } = await recorded([KEY, 'short'])
    await model.complete(asking(`a short ${KEY}`), calling({ phase: 'bootstrap', task: 't' }))
    const text = await readFile(path, 'utf8')
    expect(text).not.toContain(KEY)
    expect(JSON.parse(text)).toMatchObject({
      phase: 'bootstrap',
      task: 't',
      request: asking('a short [secret]'),
      reply: { text: 'a short [secret] 0' },
    })
    expect((await replay.complete(asking(`a short ${KEY}`), calling())).text).toBe('a short [secret] 0')
  })

  it('that is absent or damaged is an error of the user, in the probe too', async () => {
    const { path, replay } = await recorded()
    expect(await replay.probe(calling().signal)).toMatchObject({ ok: false, code: 'no_transcript' })
    const damaged = `${await testFolder()}/t.jsonl`
    await writeFile(damaged, '\n{"digest":"a"}\n')
    const fault = await faultOf(createReplayModel({ transcript: damaged }).complete(asking('a'), calling()))
    expect([fault.code, fault.fault, fault.message]).toEqual([
      'bad_transcript',
      'user',
      `${damaged}:2 is no line of a transcript`,
    ])
    expect(path).toContain('below')
  })
})
