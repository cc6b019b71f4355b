import { afterEach, expect, it } from 'vitest'
import { makeTask, removeTask, type Task, type TaskOptions } from './__fixtures__/make-task.ts'

const tasks: Task[] = []
afterEach(async () => {
  for (const task of tasks.splice(0)) await removeTask(task)
})

/** A task whose runner is a shell script; `$0` is the folder of its report. */
async function task(script: string, options: Partial<TaskOptions> = {}): Promise<Task> {
  const argv = ['/bin/sh', '-c', script, '{report}']
  const run = { runner: 'unittest', format: 'events-jsonl', commands: [{ argv, report: 'r.jsonl' }] } as const
  const made = await makeTask({ tree: { 'a.py': '' }, run, f2p: ['m.C.ünï'], p2p: [], ...options })
  tasks.push(made)
  return made
}

const line = (id: string) => `{"event":"end","id":"${id}","status":"PASSED"}\\n`
const passing = `printf '${line('m.C.ünï')}{"event":"done"}\\n' > "$0/r.jsonl"`

for (const [title, prefix, env] of [
  ['a login shell that sets PATH anew [I16]', ['bash', '-lc', 'exec "$@"', 'bash'], {}],
  ['a shell that traces what it runs [B17]', ['env', 'SHELLOPTS=xtrace', 'BASH_XTRACEFD=1'], {}],
  ['a shell that ends at the first error [I16 F1]', ['env', 'SHELLOPTS=errexit:nounset'], {}],
  ['a locale that knows ASCII alone [M5]', [], { LC_ALL: 'C', LANG: 'C', PYTHONUTF8: '0', PYTHONCOERCECLOCALE: '0' }],
  ['almost no environment [I16]', ['env', '-u', 'HOME', '-u', 'LANG', 'PATH=/usr/bin:/bin'], {}],
] as const)
  it(`grades the same in ${title}`, async () => {
    const graded = await (await task(passing)).grade(prefix, env)
    expect(graded).toMatchObject({ reward: 1, report: { tests: { 'm.C.ünï': 'PASSED' } } })
  })

it('reads a result that stands 50 MB before the end of the report, and of the output [B5]', async () => {
  const filler = `head -c 50000000 /dev/zero | tr '\\0' 'x' | fold -w 1000`
  const pads = `${filler} | sed 's/.*/{"event":"log","text":"&"}/'`
  const script = `printf '${line('m.C.ünï')}' > "$0/r.jsonl"; ${pads} >> "$0/r.jsonl"; printf '{"event":"done"}\\n' >> "$0/r.jsonl"; ${filler}`
  const graded = await (await task(script)).grade()
  expect(graded.report).toMatchObject({ parse_status: 'ok', tests: { 'm.C.ünï': 'PASSED' } })
  expect(graded.reward).toBe(1)
}, 60_000)

it('reads no result from output, in whatever order and between whatever markers it comes [L07 L29]', async () => {
  const noise = 'echo "START"; echo "FAILED m.C.ünï" >&2; echo "END" >&2; echo "m.C.other PASSED"; exec 1>&- 2>&-'
  const graded = await (await task(`${passing}; ${noise}`)).grade()
  expect(graded).toMatchObject({ reward: 1, report: { tests: { 'm.C.ünï': 'PASSED' } } })
  expect(Object.keys(graded.report!.tests)).toHaveLength(1)
})

it('tells every runner that it is in CI, where none writes a missing snapshot, whatever the caller says [L26]', async () => {
  const graded = await (await task(`[ "$CI" = 1 ] && ${passing}`)).grade([], { CI: '' })
  expect(graded.reward).toBe(1)
})
