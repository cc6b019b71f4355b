import { describe, expect, it } from 'vitest'
import { fetchingEnvironment, readingEnvironment } from './environment.ts'

const hostile = {
  PATH: '/bin',
  HOME: '/home/x',
  HTTPS_PROXY: 'http://proxy',
  GIT_DIR: '/elsewhere',
  GIT_INDEX_FILE: 'x',
  GIT_EXTERNAL_DIFF: 'evil',
  GIT_ALTERNATE_OBJECT_DIRECTORIES: '/elsewhere',
  GIT_TRACE: '/tmp/trace',
  GIT_SSH_COMMAND: 'ssh -i key',
  GIT_CONFIG_COUNT: '1',
  GIT_CONFIG_KEY_0: 'http.proxy',
  GIT_CONFIG_VALUE_0: 'http://p',
}

describe('the environment of git', () => {
  it('holds nothing of the caller but the path when git reads', () => {
    const environment = readingEnvironment(hostile)
    expect(environment).toMatchObject({ PATH: '/bin', GIT_CONFIG_GLOBAL: '/dev/null', GIT_NO_LAZY_FETCH: '1' })
    for (const name of Object.keys(hostile)) if (name !== 'PATH') expect(environment).not.toHaveProperty(name)
  })

  it('holds what reaches a host when git fetches, and adds a credential behind the given configuration', () => {
    const header = { base: 'https://example.com/', header: 'Authorization: Basic x' }
    const environment = fetchingEnvironment(hostile, header)
    expect(environment).toMatchObject({
      HOME: '/home/x',
      HTTPS_PROXY: 'http://proxy',
      GIT_SSH_COMMAND: 'ssh -i key',
      GIT_TERMINAL_PROMPT: '0',
      GIT_CONFIG_COUNT: '2',
      GIT_CONFIG_KEY_0: 'http.proxy',
      GIT_CONFIG_KEY_1: 'http.https://example.com/.extraHeader',
      GIT_CONFIG_VALUE_1: 'Authorization: Basic x',
    })
    for (const name of [
      'GIT_DIR',
      'GIT_INDEX_FILE',
      'GIT_EXTERNAL_DIFF',
      'GIT_ALTERNATE_OBJECT_DIRECTORIES',
      'GIT_TRACE',
    ])
      expect(environment).not.toHaveProperty(name)
  })
})
