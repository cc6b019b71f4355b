import { lstatSync, mkdirSync, readFileSync, renameSync, statSync, symlinkSync, unlinkSync, utimesSync } from 'node:fs'
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

  it('is written through no link and into no file that is gone', async () => {
    const solved = await task()
    unlinkSync(join(solved.tree, 'src/lib.rs'))
    unlinkSync(join(solved.tree, 'src/part.rs'))
    await solved.write({ 'outside.txt': code(3) })
    symlinkSync('../outside.txt', join(solved.tree, 'src/lib.rs'))
    expect((await solved.grade()).reward).toBe(1)
    expect(lstatSync(join(solved.tree, 'src/lib.rs')).isSymbolicLink()).toBe(true)
    expect(text(solved, 'outside.txt')).toBe(code(3))
  })

  it('that differs from what was shipped makes a run ungradable [F2]', async () => {
    const changed = await task()
    const { writeFile } = await import('node:fs/promises')
    await writeFile(join(changed.tests, 'files/inline-0'), tests('forged'))
    expect(await changed.grade()).toMatchObject({ reward: 0, details: { status: 'grader_changed' } })
  })
})
