import { existsSync, mkdirSync, readFileSync, renameSync, statSync, symlinkSync, unlinkSync, utimesSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { makeTask, removeTask, type Task, type TaskOptions } from './__fixtures__/make-task.ts'

const tasks: Task[] = []
afterEach(async () => {
  for (const task of tasks.splice(0)) await removeTask(task)
})

const code = (value: number) => `pub fn value() -> u32 {\n    ${value}\n}\n`
const tests = (name: string) => `#[cfg(test)]\nmod tests {\n    #[test]\n    fn ${name}() {}\n}\n`
const passing = '{"event":"end","id":"m.C.t","status":"PASSED"}\n{"event":"done"}\n'

/** A tree whose grader holds the test code of one file and of a module that may stand in two places. */
async function task(options: Partial<TaskOptions> = {}): Promise<Task> {
  const argv = ['/bin/sh', '-c', `printf '${passing.replaceAll('\n', '\\n')}' > "$0/r.jsonl"`, '{report}']
  const made = await makeTask({
    tree: {
      'src/lib.rs': `${code(1)}\n${tests('old')}`,
      'src/part.rs': `${code(1)}\n${tests('part')}`,
      'src/plain.rs': code(1),
      'tests/it.rs': tests('it'),
      'target/made.rs': tests('made'),
    },
    inline: { 'src/lib.rs': tests('hidden'), 'src/part.rs': tests('part') },
    restore: { 'tests/it.rs': tests('it') },
    purge: { skip: ['.git', 'target'] },
    run: { runner: 'x', format: 'events-jsonl', commands: [{ argv, report: 'r.jsonl' }] },
    f2p: ['m.C.t'],
    ...options,
  })
  tasks.push(made)
  return made
}
const text = ({ tree }: Task, path: string) => readFileSync(join(tree, path), 'utf8')

describe('test code inside source files', () => {
  it("is the grader's in whatever the agent made of the file [F3]", async () => {
    const solved = await task()
    await solved.write({ 'src/lib.rs': `${tests('mine')}\n// moved up\n${code(2)}` })
    expect((await solved.grade()).reward).toBe(1)
    expect(text(solved, 'src/lib.rs')).toBe(`${tests('hidden')}\n// moved up\n${code(2)}`)
  })

  it('comes at the end of a file that has none left, and goes where the grader has none [F3]', async () => {
    const solved = await task()
    await solved.write({
      'src/lib.rs': code(2),
      'src/plain.rs': `${code(2)}\n${tests('mine')}`,
      'src/more.rs': tests('mine'),
    })
    await solved.grade()
    expect(text(solved, 'src/lib.rs')).toBe(`${code(2)}\n${tests('hidden')}`)
    expect(text(solved, 'src/plain.rs')).toBe(code(2))
    expect(text(solved, 'src/more.rs')).toBe('')
  })

  it('follows a module to the other place where it may stand', async () => {
    const solved = await task()
    mkdirSync(join(solved.tree, 'src/part'))
    renameSync(join(solved.tree, 'src/part.rs'), join(solved.tree, 'src/part/mod.rs'))
    await solved.grade()
    expect(text(solved, 'src/part/mod.rs')).toBe(`${code(1)}\n${tests('part')}`)
  })

  it('leaves files as they are that hold it already, that are whole tests, or that are no text', async () => {
    const solved = await task()
    const old = new Date(1_000_000_000_000)
    utimesSync(join(solved.tree, 'src/part.rs'), old, old)
    await solved.write({ 'src/bytes.rs': Uint8Array.of(0x23, 0xff, 0x0a) })
    await solved.grade()
    expect(statSync(join(solved.tree, 'src/part.rs')).mtime).toEqual(old)
    expect(text(solved, 'tests/it.rs')).toBe(tests('it'))
    expect(text(solved, 'target/made.rs')).toBe(tests('made'))
    expect([...readFileSync(join(solved.tree, 'src/bytes.rs'))]).toEqual([0x23, 0xff, 0x0a])
  })

  for (const [title, tail] of [
    ['an attribute', '#[cfg(any())]'],
    ['an attribute behind which a comment looks like an item', '#[cfg(any())] // mod a {}\n/* fn b() {} */'],
    ['documentation', '/// fn a() {}'],
    ['an attribute and half of an item', '#[cfg(any())]\n/** a */\npub(crate) unsafe'],
  ] as const)
    it(`does not hang on what an agent left open at the end: ${title} [F3]`, async () => {
      const solved = await task()
      await solved.write({ 'src/lib.rs': `${code(2)}\n${tail}\n` })
      await solved.grade()
      expect(text(solved, 'src/lib.rs')).toBe(`${code(2)}\n${tests('hidden')}`)
    })

  it('comes behind all that is whole', async () => {
    for (const whole of ['#![allow(dead_code)]', '//! Crate.', '#[allow(x)]\nuse a::b;', '// plain', 'm! { #[a] }']) {
      const solved = await task()
      await solved.write({ 'src/lib.rs': whole })
      await solved.grade()
      expect(text(solved, 'src/lib.rs')).toBe(`${whole}\n\n${tests('hidden')}`)
    }
  })

  it('comes into a copy of what a link leads to, and through no link [F3]', async () => {
    const solved = await task()
    unlinkSync(join(solved.tree, 'src/lib.rs'))
    await solved.write({ 'src/lib.txt': `${code(2)}\n${tests('mine')}` })
    symlinkSync('lib.txt', join(solved.tree, 'src/lib.rs'))
    symlinkSync('part.rs', join(solved.tree, 'src/same.rs'))
    symlinkSync('../target/made.rs', join(solved.tree, 'src/made.rs'))
    await solved.grade()
    expect(text(solved, 'src/lib.rs')).toBe(`${code(2)}\n${tests('hidden')}`)
    expect(text(solved, 'src/lib.txt')).toBe(`${code(2)}\n${tests('mine')}`)
    expect(text(solved, 'src/same.rs')).toBe(`${code(1)}\n${tests('part')}`)
    expect(text(solved, 'src/made.rs')).toBe('')
    expect(text(solved, 'target/made.rs')).toBe(tests('made'))
  })

  it('removes a source file that is a link out of the tree', async () => {
    const solved = await task()
    await solved.write({ '../outside.rs': tests('mine') })
    symlinkSync('../../outside.rs', join(solved.tree, 'src/more.rs'))
    await solved.grade()
    expect(existsSync(join(solved.tree, 'src/more.rs'))).toBe(false)
    expect(text(solved, '../outside.rs')).toBe(tests('mine'))
  })

  it('is told of where its file is gone [F3]', async () => {
    const solved = await task()
    unlinkSync(join(solved.tree, 'src/part.rs'))
    expect(await solved.grade()).toMatchObject({
      reward: 1,
      report: { unloaded: ['src/part.rs'] },
      details: { resolved: true, command_resolved: false, untracked_failed: ['src/part.rs'] },
    })
    expect(existsSync(join(solved.tree, 'src/part.rs'))).toBe(false)
  })

  for (const [title, put] of [
    ['a folder', (path: string) => mkdirSync(path)],
    ['a link out of the tree', (path: string) => symlinkSync('/dev/null', path)],
    ['a link that leads nowhere', (path: string) => symlinkSync('none.rs', path)],
  ] as const)
    it(`makes a run ungradable that has in place of its file ${title} [F3]`, async () => {
      const solved = await task()
      unlinkSync(join(solved.tree, 'src/lib.rs'))
      put(join(solved.tree, 'src/lib.rs'))
      expect(await solved.grade()).toMatchObject({ reward: 0, details: { status: 'source_replaced' } })
    })

  it('is put even below a folder that is passed over', async () => {
    const solved = await task({ inline: { 'src/target/mod.rs': tests('hidden') } })
    await solved.write({ 'src/target/mod.rs': `${code(2)}\n${tests('mine')}` })
    await solved.grade()
    expect(text(solved, 'src/target/mod.rs')).toBe(`${code(2)}\n${tests('hidden')}`)
  })

  it('that differs from what was shipped makes a run ungradable [F2]', async () => {
    const changed = await task()
    const { writeFile } = await import('node:fs/promises')
    await writeFile(join(changed.tests, 'files/inline-0'), tests('forged'))
    expect(await changed.grade()).toMatchObject({ reward: 0, details: { status: 'grader_changed' } })
  })
})
