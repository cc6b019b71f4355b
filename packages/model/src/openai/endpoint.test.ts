import { describe, expect, it } from 'vitest'
import { asking, calling, shown } from '../__fixtures__/calls.ts'
import { KEY } from '../__fixtures__/servers.ts'
import { type EndpointOptions, resolveEndpoint } from './endpoint.ts'
import { createOpenAiModel } from './openai-model.ts'
import { PRESETS } from './presets.ts'

const resolve = (options: Partial<EndpointOptions>) =>
  resolveEndpoint({ provider: 'openai', model: 'm', environment: {}, ...options })

function refused(options: Partial<EndpointOptions>) {
  try {
    resolve(options)
  } catch (error) {
    return error as Parameters<typeof shown>[0]
  }
  throw new Error('is taken')
}

describe('a provider', () => {
  for (const [provider, { endpoint, apiKeyEnv }] of Object.entries(PRESETS))
    it(`${provider} has a base URL${apiKeyEnv ? ` and takes its key from ${apiKeyEnv}` : ''}`, () => {
      const { url, key, name } = resolve({
        provider,
        model: 'org/m',
        environment: apiKeyEnv ? { [apiKeyEnv]: KEY } : {},
      })
      expect([url, key?.variable, name]).toEqual([endpoint, apiKeyEnv, `${provider}/org/m`])
    })

  it('that is none is an error that names the nearest', () => {
    const { code, fix } = refused({ provider: 'anthropc' })
    expect([code, fix]).toEqual(['unknown_provider', expect.stringMatching(/did you mean anthropic\?.*--llm-endpoint/)])
  })

  it('of any name serves at an endpoint that is given, with the key of the variable that is named', () => {
    const options = {
      provider: 'mine',
      endpoint: 'https://h.example/api/',
      apiKeyEnv: 'MINE',
      environment: { MINE: ` ${KEY}\n` },
    }
    expect(resolve(options)).toMatchObject({ url: 'https://h.example/api', key: { variable: 'MINE', value: KEY } })
  })
})

describe('a key', () => {
  it('of a preset is not sent to another host, unless it is named for it [M3]', async () => {
    const sent: (string | null)[] = []
    const fetch: typeof globalThis.fetch = async (_input, init) => {
      sent.push(new Headers(init?.headers).get('authorization'))
      return new Response('{}', { status: 500 })
    }
    const environment = { OPENAI_API_KEY: KEY }
    const other = { provider: 'openai', model: 'm', endpoint: 'https://other.example/v1', environment, fetch }
    for (const options of [other, { ...other, apiKeyEnv: 'OPENAI_API_KEY' }])
      await createOpenAiModel(options)
        .complete(asking('a'), calling())
        .catch(() => {})
    expect(sent).toEqual([null, `Bearer ${KEY}`])
  })

  it('that is missing is an error that names its variable', () => {
    const { code, fault, message, fix } = refused({ environment: { OPENAI_API_KEY: ' ' } })
    expect([code, fault, message, fix]).toEqual([
      'no_model_key',
      'user',
      'openai needs a key, and the variable OPENAI_API_KEY is not set',
      'set OPENAI_API_KEY, for instance in .env, or name another variable: --llm-key-env NAME',
    ])
  })

  for (const apiKeyEnv of [KEY, 'gsk_4242424242424242', 'AIzaSy4242424242424242'])
    it(`that stands where the name of its variable belongs is not shown: ${apiKeyEnv.slice(0, 4)}…`, () => {
      const error = refused({ apiKeyEnv })
      expect(error.code).toBe('no_model_key')
      expect(shown(error)).not.toContain(apiKeyEnv)
    })

  it('with a line break inside is refused and not shown', () => {
    expect(shown(refused({ environment: { OPENAI_API_KEY: `${KEY}\nx` } }))).not.toContain(KEY)
  })
})

describe('an endpoint', () => {
  for (const endpoint of [`https://user:${KEY}@h/v1`, `https://h/v1?key=${KEY}`, `file:///${KEY}`, KEY])
    it(`such as ${endpoint.replace(KEY, 'KEY')} is refused, and not shown`, () => {
      const error = refused({ provider: 'mine', endpoint })
      expect(error.code).toBe('bad_endpoint')
      expect(shown(error)).not.toContain(KEY)
    })

  it('may be given with the path of the call', () => {
    expect(resolve({ provider: 'mine', endpoint: 'http://h:8000/v1/chat/completions' }).url).toBe('http://h:8000/v1')
  })
})
