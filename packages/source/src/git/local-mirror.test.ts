import { appendFile, chmod, mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Repository } from '@r2e/spec'
import { buildRepository, runGit } from '@r2e/testing'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createGitSource } from './git-source.ts'

let root: string
beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'r2e-local-'))
})
afterAll(() => rm(root, { recursive: true }))

const STEPS = [
  { commit: 'one', files: { 'a.txt': 'one\n' } },
  { commit: 'two', files: { 'a.txt': 'two\n' } },
] as const

function open(url: string, ref = 'HEAD'): Promise<Repository> {
  return createGitSource().open({ url, ref, access: 'auto' }, { cacheDirectory: join(root, 'cache') })
}

async function messages(repository: Repository): Promise<string[]> {
  const found: string[] = []
  for await (const commit of repository.commits!({ firstParent: true })) found.push(commit.message.trim())
  return found
}

describe('a repository on disk', () => {
  it('opens as a work tree, a bare repository, a linked work tree and through a link', async () => {
    const { directory, commits } = await buildRepository(join(root, 'forms'), STEPS)
    await runGit(directory, 'worktree', 'add', '--quiet', '--detach', '../linked tree', commits[0]!)
    await runGit(root, 'clone', '--quiet', '--bare', directory, 'plain "bare".git')
    await symlink(directory, join(root, 'by-link'))
    const heads: string[] = []
    for (const path of ['forms', 'forms/.git', 'plain "bare".git', 'linked tree', 'by-link']) {
      await using repository = await open(join(root, path))
      heads.push(`${repository.url} ${commits.indexOf(repository.head)} ${(await messages(repository)).join()}`)
    }
    expect(heads).toEqual([
      'local/forms 1 two,one',
      'local/forms 1 two,one',
      'local/plain-bare 1 two,one',
      'local/linked-tree 0 one',
      'local/by-link 1 two,one',
    ])
  })

  it('borrows the objects of a clone that borrows them itself', async () => {
    const { directory } = await buildRepository(join(root, 'lender'), STEPS)
    await runGit(root, 'clone', '--quiet', '--shared', directory, 'borrower')
    for (const borrowed of [directory, '../../../lender']) {
      await writeFile(join(root, 'borrower/.git/objects/info/alternates'), `${borrowed}/.git/objects\n`)
      await using repository = await open(join(root, 'borrower'))
      expect(await messages(repository)).toEqual(['two', 'one'])
    }
    expect(
      await readdir(join(root, 'cache', 'git')).then((names) => names.some((name) => name.startsWith('borrower'))),
    ).toBe(true)
  })

  it('shows new, moved and removed refs at the next opening', async () => {
    const { directory, commits } = await buildRepository(join(root, 'moving'), STEPS)
    await runGit(directory, 'branch', 'old')
    await (await open(directory, 'old'))[Symbol.asyncDispose]()
    await runGit(directory, 'branch', '-D', 'old')
    await runGit(directory, 'update-ref', 'refs/heads/main', commits[0]!)
    await runGit(directory, 'tag', 'new', commits[1]!)
    await expect(open(directory, 'old')).rejects.toMatchObject({ code: 'ref_not_found' })
    await using repository = await open(directory)
    expect(repository.head).toBe(commits[0])
    await using tagged = await open(directory, 'new')
    expect(tagged.head).toBe(commits[1])
  })

  it('leaves every byte of the repository alone', async () => {
    const { directory } = await buildRepository(join(root, 'untouched'), STEPS)
    const before = await snapshot(directory)
    await using repository = await open(directory)
    await messages(repository)
    await (await repository.tree(repository.head)).entries()
    expect(await snapshot(directory)).toEqual(before)
  })

  it('runs nothing that its configuration, attributes or hooks name', async () => {
    const steps = [
      { commit: 'one', files: { 'a.txt': 'one\n', '.gitattributes': '* diff=evil filter=evil\n' } },
      { commit: 'two', files: { 'a.txt': 'two\n' } },
      { merge: 'main', message: 'again', files: { 'b.txt': 'b\n' } },
    ]
    const { directory } = await buildRepository(join(root, 'hostile'), steps)
    const proof = join(root, 'proof')
    const script = join(root, 'evil.sh')
    await writeFile(script, `#!/bin/sh\necho "$0 $@" >> ${proof}\n`)
    await chmod(script, 0o755)
    await appendFile(
      join(directory, '.git', 'config'),
      `[core]\n fsmonitor = ${script}\n pager = ${script}\n sshCommand = ${script}\n hooksPath = ${root}\n editor = ${script}\n` +
        ` alternateRefsCommand = ${script}\n gitProxy = ${script}\n[diff]\n external = ${script}\n` +
        `[diff "evil"]\n textconv = ${script}\n command = ${script}\n[filter "evil"]\n smudge = ${script}\n clean = ${script}\n` +
        `[log]\n showSignature = true\n[gpg]\n program = ${script}\n[alias]\n log = !${script}\n[uploadpack]\n packObjectsHook = ${script}\n` +
        `[pager]\n log = ${script}\n[include]\n path = ${join(root, 'missing')}\n[credential]\n helper = !${script}\n`,
    )
    await mkdir(join(directory, '.git', 'info'), { recursive: true })
    await writeFile(join(directory, '.git', 'info', 'attributes'), '* diff=evil\n')
    await using repository = await open(directory)
    expect((await messages(repository)).length).toBe(3)
    expect((await repository.diff(repository.head, await repository.rootCommit())).length).toBe(2)
    await repository.newestTag(repository.head)
    await (await repository.tree(repository.head)).readAll(['a.txt'])
    await expect(readFile(proof, 'utf8')).rejects.toMatchObject({ code: 'ENOENT' })
    await runGit(directory, 'diff', 'HEAD~1', 'HEAD').catch(() => {})
    expect(await readFile(proof, 'utf8')).toContain('evil.sh')
  })

  it('ignores replacement objects and grafts', async () => {
    const { directory, commits } = await buildRepository(join(root, 'replaced'), STEPS)
    await runGit(directory, 'update-ref', `refs/replace/${commits[1]}`, commits[0]!)
    await mkdir(join(directory, '.git', 'info'), { recursive: true })
    await writeFile(join(directory, '.git', 'info', 'grafts'), `${commits[1]}\n`)
    await using repository = await open(directory)
    expect(await messages(repository)).toEqual(['two', 'one'])
  })

  it('leaves out refs to objects that do not exist', async () => {
    const { directory } = await buildRepository(join(root, 'dangling'), [...STEPS, { tag: 'v1' }])
    await writeFile(join(directory, '.git', 'refs', 'tags', 'v2'), `${'1'.repeat(40)}\n`)
    await writeFile(join(directory, '.git', 'refs', 'heads', 'broken'), 'nonsense\n')
    await using repository = await open(directory)
    expect(await repository.newestTag(repository.head)).toBe('v1')
  })

  it('opens a repository with SHA-256 ids', async () => {
    const { directory, commits } = await buildRepository(join(root, 'long'), STEPS, { objectFormat: 'sha256' })
    await using repository = await open(directory)
    expect(repository.head).toBe(commits[1])
    expect(repository.head).toHaveLength(64)
    const [change] = await repository.diff(commits[0]!, commits[1]!)
    expect(change?.newBlob).toHaveLength(64)
  })

  it('opens at many processes and at once', async () => {
    const { directory, commits } = await buildRepository(join(root, 'busy'), STEPS)
    const opened = await Promise.all(Array.from({ length: 8 }, () => open(directory)))
    expect(opened.map((repository) => repository.head)).toEqual(opened.map(() => commits[1]))
    await Promise.all(opened.map((repository) => repository[Symbol.asyncDispose]()))
    const names = await readdir(join(root, 'cache', 'git'), { recursive: true })
    expect(names.filter((name) => name.endsWith('~'))).toEqual([])
  })
})

describe('a folder that cannot be opened', () => {
  const refused = [
    ['is absent', 'none', async () => {}, 'repo_not_found', /none/],
    ['is no repository', 'plain', (path: string) => mkdir(path), 'not_a_repository', /plain/],
    ['is a file', 'file', (path: string) => writeFile(path, ''), 'not_a_repository', /file/],
    ['lies inside a repository', 'outer/inner', inside, 'not_a_repository', /inside the repository .*outer/],
    ['is empty of commits', 'fresh', (path: string) => buildRepository(path, []), 'empty_repository', /no commits/],
    ['has a HEAD of nonsense', 'odd', nonsense, 'not_a_repository', /odd/],
  ] as const
  for (const [title, name, prepare, code, text] of refused)
    it(`is refused when it ${title}`, async () => {
      await prepare(join(root, name))
      const error = await open(join(root, name)).catch((reason) => reason)
      expect(error).toMatchObject({ code, fault: 'user' })
      expect(`${error.message} ${error.fix}`).toMatch(text)
    })

  it('is refused as a shallow clone, and the repository it came from gives the whole history [A11]', async () => {
    const steps = Array.from({ length: 10 }, (_, index) => ({ commit: `${index}`, files: { a: `${index}` } }))
    const { directory } = await buildRepository(join(root, 'deep'), steps)
    await runGit(root, 'clone', '--quiet', '--depth=3', `file://${directory}`, 'shallow')
    const error = await open(join(root, 'shallow')).catch((reason) => reason)
    expect(error).toMatchObject({ code: 'shallow_repository', fault: 'user' })
    expect(error.fix).toMatch(/fetch --unshallow/)
    await using repository = await open(directory)
    expect((await messages(repository)).length).toBe(10)
  })

  it('is refused as a partial clone', async () => {
    const { directory } = await buildRepository(join(root, 'whole'), STEPS)
    await runGit(directory, 'config', 'uploadpack.allowFilter', 'true')
    await runGit(root, 'clone', '--quiet', '--filter=blob:none', `file://${directory}`, 'partial')
    await expect(open(join(root, 'partial'))).rejects.toMatchObject({ code: 'partial_clone', fault: 'user' })
  })

  it('names near refs', async () => {
    const { directory } = await buildRepository(join(root, 'near'), [...STEPS, { tag: 'v1.0' }])
    const error = await open(directory, 'v1.O').catch((reason) => reason)
    expect(error).toMatchObject({ code: 'ref_not_found', details: { ref: 'v1.O', near: ['v1.0'] } })
    for (const ref of ['--all', '-h', '', 'HEAD..main', 'a\0b', 'HEAD:a.txt'])
      await expect(open(directory, ref)).rejects.toMatchObject({ code: 'ref_not_found' })
  })

  it('says that git is missing', async () => {
    const source = createGitSource({ git: join(root, 'no-git') })
    const spec = { url: root, ref: 'HEAD', access: 'auto' as const }
    await expect(source.open(spec, { cacheDirectory: root })).rejects.toMatchObject({
      code: 'git_not_found',
      fault: 'user',
    })
  })
})

describe('a damaged repository', () => {
  it('withholds the changes that git cannot read, and the walk goes on', async () => {
    const contents = ['one', 'two', 'three', 'four', 'five']
    const steps = contents.map((text) => ({ commit: text, files: { 'a.txt': `${text}\n`, [text]: '' } }))
    const { directory, commits } = await buildRepository(join(root, 'damaged'), steps)
    for (const commit of [commits[0], commits[3]]) {
      const blob = await runGit(directory, 'rev-parse', `${commit}:a.txt`)
      await rm(join(directory, '.git', 'objects', blob.slice(0, 2), blob.slice(2)))
    }
    await using repository = await open(directory)
    const walked: string[] = []
    for await (const { message, withheld, changes } of repository.commits!({ firstParent: true }))
      walked.push(
        `${message.trim()} ${withheld} ${changes.map((change) => `${change.path}:${change.patch.length > 0}`)}`,
      )
    expect(walked).toEqual([
      'five diff_fetch_failed a.txt:false,five:false',
      'four diff_fetch_failed a.txt:false,four:false',
      'three undefined a.txt:true,three:true',
      'two diff_fetch_failed a.txt:false,two:false',
      'one diff_fetch_failed a.txt:false,one:false',
    ])
    const [change] = await repository.diff(commits[0]!, commits[1]!)
    expect(change).toMatchObject({ path: 'a.txt', kind: 'modified', withheld: 'diff_fetch_failed' })
    const tree = await repository.tree(commits[0]!)
    await expect(tree.read('a.txt')).rejects.toMatchObject({ code: 'missing_object', fault: 'bug' })
    expect((await tree.entries()).map(({ path, size }) => [path, size])).toEqual([
      ['a.txt', 0],
      ['one', 0],
    ])
    await expect(tree.readAll(['one', 'a.txt'])).rejects.toMatchObject({ code: 'missing_object' })
    expect((await tree.readAll(['one', 'none'])).size).toBe(1)
    expect(await (await repository.tree(commits[1]!)).read('a.txt')).toEqual(Buffer.from('two\n'))
  })
})

async function inside(path: string): Promise<void> {
  await buildRepository(join(root, 'outer'), STEPS)
  await mkdir(path)
}

async function nonsense(path: string): Promise<void> {
  await buildRepository(path, STEPS)
  await writeFile(join(path, '.git', 'HEAD'), 'nonsense\n')
}

async function snapshot(directory: string): Promise<string[]> {
  const listed: string[] = []
  for (const entry of await readdir(directory, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name)
    listed.push(`${path} ${entry.isFile() ? (await readFile(path)).toString('base64') : ''}`)
  }
  return listed.sort()
}
