import { errorAnswer, type ServerAnswer, type ServerReply } from '@r2e/testing'
import { describe, expect, it } from 'vitest'
import { asking, calling, faultOf, shown } from '../__fixtures__/calls.ts'
import { closedUrl, KEY, modelAt, serve } from '../__fixtures__/servers.ts'

const environment = { MY_KEY: KEY }
const reply = (answer: ServerReply) => (): ServerAnswer => ({ kind: 'reply', ...answer })

describe('a request', () => {
  it('carries what was asked, and nothing that was not', async () => {
    const { server, model } = await serve(reply({ text: 'yes' }))
    const tool = { name: 'run', description: 'Runs.', parameters: { type: 'object' } }
    await model.complete(
      { ...asking('now?'), tools: [tool], toolChoice: 'required', temperature: 0, seed: 7, sample: 3 },
      calling({ task: 'a' }),
    )
    expect(server.received.map(({ body }) => body)).toEqual([
      {
        model: 'model',
        messages: [{ role: 'user', content: 'now?' }],
        tools: [{ type: 'function', function: tool }],
        tool_choice: 'required',
        max_tokens: 50,
        temperature: 0,
        seed: 7,
      },
    ])
  })

  it('sends no header that the environment adds, and no key where there is none', async () => {
    const { server, model } = await serve(reply({}))
    const names = ['OPENAI_API_KEY', 'OPENAI_ADMIN_KEY', 'OPENAI_ORG_ID', 'OPENAI_PROJECT_ID']
    for (const name of names) process.env[name] = KEY
    process.env.OPENAI_CUSTOM_HEADERS = `x-secret: ${KEY}`
    try {
      await model.complete(asking('a'), calling())
    } finally {
      for (const name of [...names, 'OPENAI_CUSTOM_HEADERS']) delete process.env[name]
    }
    expect(JSON.stringify(server.received)).not.toContain(KEY)
    expect(server.received[0]!.headers.authorization).toBeUndefined()
  })

  it('replaces half surrogate pairs, which no endpoint takes', async () => {
    const { server, model } = await serve(reply({}))
    await model.complete(asking('cut \ud83d'), calling())
    expect(server.received[0]!.body!.messages[0]!.content).toBe('cut \ufffd')
  })

  it('is said in the words that the model knows: parameters that it refuses are renamed or left out, once', async () => {
    const { server, model } = await serve((request) => {
      for (const name of ['max_tokens', 'temperature', 'seed'] as const)
        if (request[name] !== undefined)
          return errorAnswer(400, `Unsupported parameter: '${name}'`, { code: 'unsupported_parameter', param: name })
      return { kind: 'reply', text: 'ok' }
    })
    const request = { ...asking('a'), temperature: 0.7, seed: 1 }
    const both = await Promise.all([model.complete(request, calling()), model.complete(request, calling())])
    expect(both.map(({ text }) => text)).toEqual(['ok', 'ok'])
    const before = server.received.length
    await model.complete(request, calling())
    expect(server.received.slice(before).map(({ body }) => [body!.max_completion_tokens, body!.temperature])).toEqual([
      [50, undefined],
    ])
  })

  it('gives an endpoint back what it attached to a call of a tool, and no other endpoint', async () => {
    const extra = { google: { thought_signature: 'abc' } }
    const toolCalls = [{ id: '', name: 'run', arguments: '{}', fields: { extra_content: extra } }]
    const sent = async (provider: string) => {
      const { server, model } = await serve(reply({ toolCalls }), { provider })
      const first = await model.complete(asking('a'), calling())
      const messages = [
        ...asking('a').messages,
        { role: 'assistant', text: '', toolCalls: first.toolCalls } as const,
        { role: 'tool', callId: first.toolCalls[0]!.id, text: 'b' } as const,
      ]
      await model.complete({ messages, maxOutputTokens: 50 }, calling())
      return server.received[1]!.body!.messages[1]!.tool_calls![0]!.extra_content
    }
    expect([await sent('gemini'), await sent('custom')]).toEqual([extra, undefined])
  })
})

it('a request that is none is a bug, and no fault of the endpoint', async () => {
  const { model, server } = await serve(reply({}))
  const request = { messages: [{ role: 'user' }], maxOutputTokens: 5 } as never
  await expect(model.complete(request, calling())).rejects.toThrow(TypeError)
  expect(server.received).toEqual([])
})

describe('a reply', () => {
  const usages: readonly [title: string, given: ServerReply['usage'], read: object | undefined][] = [
    ['with thinking counted apart', { prompt_tokens: 10, completion_tokens: 2, total_tokens: 30 }, [10, 20]],
    ['of an endpoint that does not count', null, undefined],
    ['of an endpoint that counts nothing', { prompt_tokens: 0, completion_tokens: 0 }, undefined],
    ['with a count that is none', { prompt_tokens: -5, completion_tokens: 'many' }, undefined],
  ]
  for (const [title, usage, read] of usages)
    it(`${title} has the usage that is billed, or none`, async () => {
      const { model } = await serve(reply({ text: 'a', usage }))
      const { usage: found } = await model.complete(asking('a'), calling())
      expect(found && [found.inputTokens, found.outputTokens]).toEqual(read)
    })

  it('may come in parts, of which the texts count', async () => {
    const message = {
      content: [
        { type: 'thinking', thinking: [] },
        { type: 'text', text: 'a' },
        { type: 'text', text: 'b' },
      ],
    }
    const { model } = await serve(() => ({ kind: 'response', body: { choices: [{ message }] } }))
    expect(await model.complete(asking('a'), calling())).toMatchObject({ text: 'ab', end: 'stop', usage: undefined })
  })

  it('never holds the key, also where the endpoint repeats it', async () => {
    const toolCalls = [{ id: 'a', name: 'run', arguments: `{"key":"${KEY}"}` }]
    const { model } = await serve(reply({ text: `Bearer ${KEY}`, toolCalls }), { apiKeyEnv: 'MY_KEY', environment })
    const answer = await model.complete(asking('a'), calling())
    expect([answer.text, answer.toolCalls[0]!.arguments]).toEqual(['Bearer [secret]', '{"key":"[secret]"}'])
  })

  const broken: readonly [title: string, answer: ServerAnswer][] = [
    ['without choices', { kind: 'response', body: { object: 'chat.completion', choices: [] } }],
    ['without anything', { kind: 'response', body: '' }],
    ['of broken JSON', { kind: 'response', body: '{"choices": [' }],
    ['of HTML', { kind: 'response', headers: { 'content-type': 'text/html' }, body: '<html>Welcome</html>' }],
    ['with an error inside', { kind: 'response', body: { error: { message: 'upstream failed', code: 502 } } }],
  ]
  for (const [title, answer] of broken)
    it(`${title} is a fault that time may cure, and may have been paid for`, async () => {
      const { model, server } = await serve(() => answer)
      const fault = await faultOf(model.complete(asking('a'), calling()))
      expect([fault.code, fault.fault, fault.details.billed]).toEqual(['bad_model_reply', 'transient', undefined])
      expect(fault.message).toContain(server.url)
    })
})

describe('a refusal', () => {
  const html = { kind: 'response', headers: { 'content-type': 'text/html' }, body: '<html>\n<h1>Bad</h1>' } as const
  const refusals: readonly [title: string, answer: ServerAnswer, code: string, fault: string, billed?: boolean][] = [
    ['401', errorAnswer(401, 'Incorrect API key'), 'model_key_refused', 'user', false],
    ['403 of a text', { kind: 'response', status: 403, body: 'no' }, 'model_key_refused', 'user', false],
    [
      '400 in a list, of a key',
      { ...html, status: 400, body: '[{"error":{"code":400,"message":"API key not valid."}}]' },
      'model_key_refused',
      'user',
      false,
    ],
    ['402', errorAnswer(402, 'Credit exhausted'), 'model_quota_exhausted', 'user', false],
    [
      '429 for want of credit',
      errorAnswer(429, 'No quota', { code: 'insufficient_quota' }),
      'model_quota_exhausted',
      'user',
      false,
    ],
    ['429', errorAnswer(429, 'Slow down'), 'model_busy', 'transient', false],
    ['408', errorAnswer(408, 'Late'), 'model_failed', 'transient'],
    ['409', errorAnswer(409, 'Conflict'), 'model_failed', 'transient', false],
    ['500', errorAnswer(500, 'Oops'), 'model_failed', 'transient'],
    ['503 of HTML', { ...html, status: 503 }, 'model_failed', 'transient'],
    ['529', errorAnswer(529, 'Overloaded'), 'model_failed', 'transient'],
    [
      '404 of a model',
      errorAnswer(404, 'model "model" not found, try pulling it first'),
      'unknown_model',
      'user',
      false,
    ],
    ['400 of a model', errorAnswer(400, 'invalid model ID'), 'unknown_model', 'user', false],
    ['404 of a page', { ...html, status: 404 }, 'bad_endpoint', 'user', false],
    [
      'a redirect',
      { kind: 'response', status: 307, headers: { location: 'https://example.com/v1?x=1' }, body: '' },
      'bad_endpoint',
      'user',
      false,
    ],
    [
      '400 of a long request',
      errorAnswer(400, 'too long', { code: 'context_length_exceeded' }),
      'model_context_exceeded',
      'bug',
      false,
    ],
    ['413', { ...html, status: 413 }, 'model_context_exceeded', 'bug', false],
    [
      '400',
      { kind: 'response', status: 400, body: { object: 'error', message: 'top_k must be positive', code: 400 } },
      'model_request_refused',
      'bug',
      false,
    ],
    [
      '422 of a text',
      { kind: 'response', status: 422, body: { error: 'bad tool' } },
      'model_request_refused',
      'bug',
      false,
    ],
  ]
  for (const [title, answer, code, fault, billed] of refusals)
    it(`${title} is ${code}`, async () => {
      const { model, server } = await serve(() => answer)
      const found = await faultOf(model.complete(asking('a'), calling()))
      expect([found.code, found.fault, found.details.billed]).toEqual([code, fault, billed])
      expect(found.message).toContain(server.url)
      expect(found.message).not.toMatch(/<|\n|\?x/)
      expect(server.received).toHaveLength(1)
    })

  const waits: readonly [headers: Record<string, string>, wait: number | undefined][] = [
    [{ 'retry-after-ms': '250', 'retry-after': '9' }, 250],
    [{ 'retry-after': '1.5' }, 1500],
    [{ 'retry-after': 'Thu, 01 Jan 2026 00:00:07 GMT', date: 'Thu, 01 Jan 2026 00:00:00 GMT' }, 7000],
    [{ 'retry-after': 'soon' }, undefined],
  ]
  for (const [headers, wait] of waits)
    it(`says when to come again: ${JSON.stringify(headers)}`, async () => {
      const { model } = await serve(() => errorAnswer(429, 'Slow down', { headers }))
      expect((await faultOf(model.complete(asking('a'), calling()))).details.retryAfterMs).toBe(wait)
    })

  it('shows the key nowhere, also where the endpoint repeats it', async () => {
    const settings = { apiKeyEnv: 'MY_KEY', environment }
    const { model } = await serve(() => errorAnswer(500, `key ${KEY} of ${'long '.repeat(400)}`), settings)
    const fault = await faultOf(model.complete(asking('a'), calling()))
    expect(shown(fault)).not.toContain(KEY)
    expect(fault.message).toContain('key [secret] of')
    expect(fault.message.length).toBeLessThan(450)
  })
})

describe('a connection', () => {
  for (const after of ['nothing', 'headers', 'half'] as const) {
    it(`that is cut after ${after} is a fault that time may cure, and may have been paid for`, async () => {
      const { model } = await serve(() => ({ kind: 'cut', after }))
      const fault = await faultOf(model.complete(asking('a'), calling()))
      expect([fault.code, fault.fault, fault.details.billed]).toEqual(['model_connection_lost', 'transient', undefined])
    })

    it(`that stalls after ${after} ends at the limit of a call`, async () => {
      const { model } = await serve(() => ({ kind: 'stall', after }), { timeoutSec: 0.2 })
      const fault = await faultOf(model.complete(asking('a'), calling()))
      expect([fault.code, fault.fault, fault.details.billed]).toEqual(['model_timeout', 'transient', undefined])
    })

    it(`that stalls after ${after} ends when the call is aborted, with the reason of its signal`, async () => {
      const { model } = await serve(() => ({ kind: 'stall', after }))
      const stop = new AbortController()
      setTimeout(() => stop.abort(new Error('enough')), 100)
      await expect(model.complete(asking('a'), calling({ signal: stop.signal }))).rejects.toThrow('enough')
    })
  }

  it('that nobody accepts has cost nothing', async () => {
    const fault = await faultOf(modelAt(await closedUrl()).complete(asking('a'), calling()))
    expect([fault.code, fault.fault, fault.details.billed]).toEqual(['model_unreachable', 'transient', false])
  })

  const causes: readonly [code: string, fault: string, reason: RegExp][] = [
    ['ENOTFOUND', 'model_unreachable', /no such host/],
    ['SELF_SIGNED_CERT_IN_CHAIN', 'model_unreachable', /certificate.*SELF_SIGNED/],
    ['UND_ERR_SOCKET', 'model_connection_lost', /broke/],
  ]
  for (const [code, fault, reason] of causes)
    it(`that fails by ${code} is ${fault}`, async () => {
      const fetch = async () => {
        throw new TypeError('fetch failed', { cause: Object.assign(new Error('x'), { code }) })
      }
      const found = await faultOf(modelAt('http://h.example/v1', { fetch }).complete(asking('a'), calling()))
      expect([found.code, found.message]).toEqual([fault, expect.stringMatching(reason)])
    })
})

describe('a probe', () => {
  it('answers yes after a call of few tokens', async () => {
    const { model, server } = await serve(
      { key: KEY, answer: reply({ text: 'ready' }) },
      { apiKeyEnv: 'MY_KEY', environment },
    )
    expect(await model.probe(calling().signal)).toEqual({ ok: true, detail: 'custom/model answers' })
    expect(server.received.map(({ path }) => path)).toEqual(['/v1/chat/completions'])
  })

  it('names a wrong key by its variable', async () => {
    const wrong = { apiKeyEnv: 'MY_KEY', environment: { MY_KEY: 'sk-wrong-123456789' } }
    const { model, server } = await serve({ key: KEY, answer: reply({}) }, wrong)
    expect(await model.probe(calling().signal)).toEqual({
      ok: false,
      code: 'model_key_refused',
      detail: `custom/model at ${server.url} refuses the key (401: Incorrect API key provided.)`,
      fix: 'put a valid key into the variable MY_KEY',
    })
  })

  it('names the models that an unknown one may stand for', async () => {
    const { model } = await serve(
      { models: ['qwen3-coder-30b', 'gemma'], answer: reply({}) },
      { model: 'qwen-coder-30b' },
    )
    expect(await model.probe(calling().signal)).toMatchObject({
      ok: false,
      code: 'unknown_model',
      fix: 'did you mean qwen3-coder-30b?',
    })
  })

  it('names an endpoint where nothing listens', async () => {
    const url = await closedUrl()
    expect(await modelAt(url).probe(calling().signal)).toEqual({
      ok: false,
      code: 'model_unreachable',
      detail: `the model endpoint ${url} does not answer: nothing listens there`,
      fix: 'start it, or check --llm-endpoint and the network',
    })
  })

  it('says that a base URL is not that of an API', async () => {
    const { server } = await serve(reply({}))
    const probe = await modelAt(server.url.replace('/v1', '')).probe(calling().signal)
    expect([probe.code, probe.fix]).toEqual([
      'bad_endpoint',
      'give the base URL of an OpenAI-compatible API, most end in /v1: --llm-endpoint URL',
    ])
  })
})
