import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { RepoSpec, Repository } from '@r2e/spec'
import { buildRepository, runGit } from '@r2e/testing'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type GitServer, startGitServer } from './__fixtures__/git-server.ts'
import type { Environment } from './environment.ts'
import { createGitSource } from './git-source.ts'

let root: string
let server: GitServer
let guarded: GitServer
beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'r2e-remote-'))
  server = await startGitServer(root)
  guarded = await startGitServer(root, 'secret')
})
afterAll(async () => {
  await server[Symbol.asyncDispose]()
  await guarded[Symbol.asyncDispose]()
  await rm(root, { recursive: true })
})

const STEPS = [
  { commit: 'one', files: { a: '1' } },
  { branch: 'topic' },
  { commit: 'work', files: { b: '1' } },
  { ref: 'refs/pull/3/head' },
  { ref: 'refs/merge-requests/4/head', at: 0 },
  { ref: 'refs/keep-around/x', at: 0 },
  { branch: 'main' },
  { commit: 'two', files: { a: '2' } },
  { tag: 'v1' },
] as const

function open(url: string, spec: Partial<RepoSpec> = {}, environment?: Environment): Promise<Repository> {
  const source = createGitSource({ environment })
  return source.open({ url, ref: 'HEAD', access: 'auto', ...spec }, { cacheDirectory: join(root, 'cache') })
}

async function mirrorOf(name: string): Promise<string> {
  const found = (await readdir(join(root, 'cache', 'git'))).filter(
    (entry) => entry.startsWith(`${name}-`) && entry.endsWith('.git'),
  )
  expect(found).toHaveLength(1)
  return join(root, 'cache', 'git', found[0]!)
}

describe('a remote repository', () => {
  it('is cloned whole, with its pull and merge requests and no other refs [A11 I2]', async () => {
    const { commits } = await buildRepository(join(root, 'team/whole.git'), STEPS, { bare: true })
    await using repository = await open(`${server.url}/team/whole.git`)
    expect(repository).toMatchObject({
      owner: 'team',
      name: 'whole',
      url: `${server.url}/team/whole`,
      webUrl: `${server.url}/team/whole`,
      head: commits[2],
    })
    const mirror = await mirrorOf('whole')
    const refs = await runGit(mirror, 'for-each-ref', '--format=%(refname)')
    expect(refs.split('\n')).toEqual([
      'refs/heads/main',
      'refs/heads/topic',
      'refs/merge-requests/4/head',
      'refs/pull/3/head',
      'refs/tags/v1',
    ])
    const objects = (await runGit(mirror, 'rev-list', '--objects', '--missing=print', 'refs/heads/main')).split('\n')
    expect(objects.filter((line) => !line.startsWith('?'))).toHaveLength(6) // two commits, each with its tree and file
    await using byPull = await open(`${server.url}/team/whole.git`, { ref: 'pull/3/head' })
    expect(byPull.head).toBe(commits[1])
  })

  it('tells the commit of a ref without being cloned', async () => {
    const steps = [...STEPS, { tag: 'v2', annotation: 'second' }]
    const { commits } = await buildRepository(join(root, 'team/asked.git'), steps, { bare: true })
    const source = createGitSource()
    const url = `${server.url}/team/asked.git`
    const resolve = (ref: string) =>
      source.resolve!({ url, ref, access: 'auto' }, { cacheDirectory: join(root, 'no-cache') })
    const full = commits[0]!
    for (const [ref, commit] of [
      ['HEAD', commits[2]],
      ['topic', commits[1]],
      ['heads/topic', commits[1]],
      ['v2', commits[2]],
      ['refs/pull/3/head', commits[1]],
      [full, full],
    ] as const)
      expect([ref, await resolve(ref)]).toEqual([
        ref,
        { owner: 'team', name: 'asked', url: `${server.url}/team/asked`, commit },
      ])
    for (const ref of [full.slice(0, 12), 'main~1', 'nowhere', '--upload-pack=x', ''])
      expect([ref, await resolve(ref)]).toEqual([ref, undefined])
    expect(await readdir(root)).not.toContain('no-cache')
    await expect(
      source.resolve!({ url: `${server.url}/team/none`, ref: 'HEAD', access: 'auto' }, { cacheDirectory: root }),
    ).rejects.toMatchObject({ code: 'repo_not_found' })
  })

  it('follows forced pushes, deletions and a new default branch', async () => {
    const directory = join(root, 'team/moving.git')
    const { commits } = await buildRepository(directory, STEPS, { bare: true })
    const url = `${server.url}/team/moving`
    await (await open(url))[Symbol.asyncDispose]()
    await runGit(directory, 'update-ref', 'refs/heads/main', commits[0]!)
    await runGit(directory, 'update-ref', '-d', 'refs/tags/v1')
    await using repository = await open(url)
    expect(repository.head).toBe(commits[0])
    expect(await repository.newestTag(repository.head)).toBeUndefined()
    await runGit(directory, 'symbolic-ref', 'HEAD', 'refs/heads/topic')
    await using moved = await open(url)
    expect(moved.head).toBe(commits[1])
  })

  it('is fetched by several openings at once', async () => {
    const { commits } = await buildRepository(join(root, 'team/busy.git'), STEPS, { bare: true })
    const opened = await Promise.all(Array.from({ length: 4 }, () => open(`${server.url}/team/busy`)))
    expect(opened.map((repository) => repository.head)).toEqual(opened.map(() => commits[2]))
    await Promise.all(opened.map((repository) => repository[Symbol.asyncDispose]()))
  })

  it('is fetched again after a fetch that was killed', async () => {
    const { commits } = await buildRepository(join(root, 'team/killed.git'), STEPS, { bare: true })
    const url = `${server.url}/team/killed`
    await (await open(url))[Symbol.asyncDispose]()
    const mirror = await mirrorOf('killed')
    await rm(join(mirror, 'objects'), { recursive: true })
    await rm(join(mirror, 'packed-refs'))
    await mkdir(join(mirror, 'objects/pack'), { recursive: true })
    await writeFile(join(mirror, 'objects/pack/tmp_pack_x'), 'half')
    // No process has this number.
    await writeFile(`${mirror}.lock`, `99999999 ${(await import('node:os')).hostname()}`)
    await using repository = await open(url)
    expect(repository.head).toBe(commits[2])
    expect(
      await readdir(join(mirror, 'objects/pack')).then((names) => names.filter((name) => name.startsWith('tmp_'))),
    ).toEqual([])
  })

  it('says which address it cannot read, without a prompt', async () => {
    for (const url of [`${server.url}/team/none`, `${guarded.url}/team/whole`]) {
      const error = await open(url).catch((reason) => reason)
      expect(error).toMatchObject({ code: 'repo_not_found', fault: 'user' })
      expect(error.message).toContain(url)
    }
    const refused = await open('http://127.0.0.1:1/o/n').catch((reason) => reason)
    expect(refused).toMatchObject({ code: 'fetch_failed', fault: 'transient' })
  })

  it('without commits is refused', async () => {
    await buildRepository(join(root, 'team/fresh.git'), [], { bare: true })
    await expect(open(`${server.url}/team/fresh`)).rejects.toMatchObject({ code: 'empty_repository', fault: 'user' })
  })

  it('stops fetching when the signal says so', async () => {
    const spec = { url: `${server.url}/team/whole`, ref: 'HEAD', access: 'auto' } as const
    const signal = AbortSignal.abort(new Error('enough'))
    const opening = createGitSource().open(spec, { cacheDirectory: join(root, 'cache'), signal })
    await expect(opening).rejects.toThrow('enough')
  })
})

describe('a private repository', () => {
  it('opens with the token of a named variable, which is written nowhere [W24]', async () => {
    await buildRepository(join(root, 'team/private.git'), STEPS, { bare: true })
    const spec = { access: 'private' as const, auth_token_env: 'MY_TOKEN' }
    await using repository = await open(`${guarded.url}/team/private`, spec, { MY_TOKEN: 'secret' })
    expect(repository.url).toBe(`${guarded.url}/team/private`)
    expect(guarded.requests.some((request) => request.endsWith('x-access-token:secret'))).toBe(true)
    const basic = Buffer.from('x-access-token:secret').toString('base64')
    for (const entry of await readdir(await mirrorOf('private'), { recursive: true, withFileTypes: true })) {
      if (!entry.isFile()) continue
      const content = await readFile(join(entry.parentPath, entry.name), 'latin1')
      expect(content).not.toContain('secret')
      expect(content).not.toContain(basic)
    }
  })

  it('opens with the token for its host where its spec names none, unless it is public', async () => {
    await buildRepository(join(root, 'team/hosted.git'), STEPS, { bare: true })
    const hosts: string[] = []
    const source = createGitSource({
      tokenFor: async (host) => {
        hosts.push(host)
        return 'secret'
      },
    })
    const spec = { url: `${guarded.url}/team/hosted`, ref: 'HEAD' }
    const opening = (access: 'auto' | 'public') =>
      source.open({ ...spec, access }, { cacheDirectory: join(root, 'cache') })
    await expect(opening('public')).rejects.toMatchObject({ code: 'repo_not_found' })
    expect(hosts).toEqual([])
    await using repository = await opening('auto')
    expect([repository.name, hosts]).toEqual(['hosted', ['127.0.0.1']])
  })

  it('opens with the credential of its URL, which is not printed', async () => {
    await buildRepository(join(root, 'team/url.git'), STEPS, { bare: true })
    await using repository = await open(guarded.url.replace('//', '//me:secret@').concat('/team/url'))
    expect(repository.url).toBe(`${guarded.url}/team/url`)
    const error = await open(guarded.url.replace('//', '//me:wrong@').concat('/team/url')).catch((reason) => reason)
    expect(error.code).toBe('repo_not_found')
    expect(`${error.message} ${error.fix}`).not.toContain('wrong')
  })

  it('asks for a variable that is not set, and sends no token over plain http', async () => {
    const spec = { access: 'private' as const, auth_token_env: 'MY_TOKEN' }
    await expect(open(`${guarded.url}/team/whole`, spec)).rejects.toMatchObject({ code: 'auth_token_missing' })
    const plain = open('http://git.invalid/o/n', spec, { MY_TOKEN: 'secret' })
    await expect(plain).rejects.toMatchObject({ code: 'insecure_url' })
  })
})
