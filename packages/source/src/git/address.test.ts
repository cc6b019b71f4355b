import { homedir } from 'node:os'
import { resolve } from 'node:path'
import { describe, expect, it } from 'vitest'
import { parseAddress } from './address.ts'

const remotes = [
  ['pallets/click', 'https://github.com/pallets/click', 'https://github.com/pallets/click', 'pallets', 'click'],
  ['pallets/click.git', 'https://github.com/pallets/click', 'https://github.com/pallets/click', 'pallets', 'click'],
  ['https://github.com/o/n/', 'https://github.com/o/n', 'https://github.com/o/n', 'o', 'n'],
  ['https://github.com/o/n.git/', 'https://github.com/o/n', 'https://github.com/o/n', 'o', 'n'],
  [
    'https://git.example.com:8443/a/b/c.git',
    'https://git.example.com:8443/a/b/c',
    'https://git.example.com:8443/a/b/c',
    'b',
    'c',
  ],
  ['http://localhost:3000/o/n', 'http://localhost:3000/o/n', 'http://localhost:3000/o/n', 'o', 'n'],
  ['https://example.com/only.git', 'https://example.com/only', 'https://example.com/only', 'example.com', 'only'],
  ['git@github.com:o/n.git', 'git@github.com:o/n.git', 'https://github.com/o/n', 'o', 'n'],
  ['host.example:o/n', 'host.example:o/n', 'https://host.example/o/n', 'o', 'n'],
  ['ssh://git@host.example:2222/o/n.git', 'ssh://git@host.example:2222/o/n.git', 'https://host.example/o/n', 'o', 'n'],
  ['git://host.example/o/n', 'git://host.example/o/n', 'https://host.example/o/n', 'o', 'n'],
] as const

describe('parseAddress', () => {
  for (const [text, fetchUrl, url, owner, name] of remotes)
    it(`reads ${text}`, () => {
      expect(parseAddress(text)).toEqual({ kind: 'remote', fetchUrl, credential: undefined, url, owner, name })
    })

  it('takes credentials out of the URL, so that they are in no argument and no print', () => {
    const address = parseAddress('https://user:p%40ss@example.com/o/n.git')
    expect(address).toMatchObject({
      credential: 'user:p@ss',
      fetchUrl: 'https://example.com/o/n',
      url: 'https://example.com/o/n',
    })
  })

  const paths = [
    ['/srv/project', '/srv/project', 'project'],
    ['/srv/project.git', '/srv/project.git', 'project'],
    ['/srv/project/.git', '/srv/project/.git', 'project'],
    ['file:///srv/my%20project', '/srv/my project', 'my-project'],
    ['./sub', resolve('sub'), 'sub'],
    ['../n', resolve('../n'), 'n'],
    ['~/code/n', resolve(homedir(), 'code/n'), 'n'],
    ['/srv/..hidden', '/srv/..hidden', 'hidden'],
    ['/srv/é', '/srv/é', 'repository'],
    ['/', '/', 'repository'],
  ] as const
  for (const [text, path, name] of paths)
    it(`reads ${text} as a folder`, () => {
      expect(parseAddress(text)).toEqual({ kind: 'local', path, owner: 'local', name, url: `local/${name}` })
    })

  for (const text of [
    'ext::sh -c id',
    'file://host.example/x',
    'ftp://example.com/o/n',
    'https://example.com',
    'fd://3/o/n',
  ])
    it(`does not fetch from ${text}`, () => {
      let address: unknown
      try {
        address = parseAddress(text)
      } catch {
        return
      }
      expect(address).toMatchObject({ kind: 'local' })
    })
})
