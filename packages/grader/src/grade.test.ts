import { execFileSync } from 'node:child_process'
import {
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { RunPlan } from '@r2e/spec'
import { afterEach, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import {
  makeTask,
  pytestPython,
  removeTask,
  type Task,
  type TaskOptions,
  writeFiles,
} from './__fixtures__/make-task.ts'

const source = 'def add(a, b):\n    return a - b\n'
const fixed = 'def add(a, b):\n    return a + b\n'
const hidden =
  'from calc import add\n\n\ndef test_sum():\n    assert add(2, 3) == 5\n\n\ndef test_zero():\n    assert add(0, 0) == 0\n'
const f2p = ['tests/test_calc.py::test_sum']
const p2p = ['tests/test_calc.py::test_zero', 'tests/test_old.py::test_old']
const old = 'def test_old():\n    pass\n'

let python = ''
const tasks: Task[] = []
beforeAll(async () => {
  python = await pytestPython()
})
afterEach(async () => {
  for (const task of tasks.splice(0)) await removeTask(task)
})

function pytestPlan(extra: Partial<RunPlan> = {}): Partial<RunPlan> {
  const flags = ['-o', 'junit_family=xunit1', '-o', 'junit_logging=no', '--continue-on-collection-errors']
  const argv = [python, '-m', 'pytest', '--junitxml={report}/0.xml', ...flags, '-p', 'no:cacheprovider', 'tests']
  return { commands: [{ argv, report: '0.xml' }], env: { PYTHONPATH: '.' }, ...extra }
}

async function task(options: Partial<TaskOptions> = {}): Promise<Task> {
  const made = await makeTask({
    tree: { 'calc.py': source, 'tests/test_calc.py': 'old\n', 'tests/test_old.py': old, 'pytest.ini': '[pytest]\n' },
    restore: { 'tests/test_calc.py': hidden, 'tests/test_old.py': old, 'pytest.ini': '[pytest]\n' },
    purge: { names: ['conftest.py', 'test_*.py', 'pytest.ini', '__pycache__'], folders: ['tests'] },
    run: pytestPlan(),
    f2p,
    p2p,
    ...options,
  })
  tasks.push(made)
  return made
}

/** Commands of a shell script in place of a test runner. */
function scriptPlan(script: string, extra: Partial<RunPlan> = {}): Partial<RunPlan> {
  const argv = ['/bin/sh', '-c', script, '{report}']
  return { runner: 'unittest', format: 'events-jsonl', commands: [{ argv, report: 'r.jsonl' }], ...extra }
}

const passing = '{"event":"end","id":"m.C.t","status":"PASSED"}\\n{"event":"done"}\\n'
const report = `printf '${passing}' > "$0/r.jsonl"`

describe('a tree graded end to end', () => {
  it('gives the solved tree 1 and says why', async () => {
    const solved = await task()
    await solved.write({ 'calc.py': fixed })
    const graded = await solved.grade()
    expect(graded.reward).toBe(1)
    expect(graded.text).toBe(1)
    expect(graded.flat).toEqual({ reward: 1, f2p_rate: 1, p2p_rate: 1, resolved: 1, command_resolved: 1 })
    expect(graded.details).toMatchObject({ status: 'graded', resolution: 'FULL', tests_parsed: 3, exit_code: 0 })
    expect(graded.report).toMatchObject({
      schema: 'r2e.tests/1',
      outcome: 'completed',
      parse_status: 'ok',
      exit_codes: [0],
    })
    expect(graded.report?.cpu_sec).toBeGreaterThan(0)
    expect(graded.output).toContain('3 passed')
  })

  it('gives the untouched tree 0', async () => {
    const graded = await (await task()).grade()
    expect(graded).toMatchObject({ reward: 0, text: 0, details: { resolution: 'NO', p2p_passed: 2 } })
    expect(graded.report?.tests).toMatchObject({ [f2p[0]!]: 'FAILED' })
  })

  it('grades a broken regression in part', async () => {
    const wrong = await task({ f2p: [f2p[0]!], p2p: ['tests/test_calc.py::test_zero', 'tests/test_old.py::absent'] })
    await wrong.write({ 'calc.py': fixed })
    const graded = await wrong.grade()
    expect(graded).toMatchObject({
      reward: 0.5,
      details: { resolution: 'NO', regressions: ['tests/test_old.py::absent'] },
    })
  })

  it('counts a wanted id that the report lacks as not passed [L28]', async () => {
    const invented = await task({ f2p: ['tests/test_calc.py::test_invented'] })
    await invented.write({ 'calc.py': fixed })
    expect((await invented.grade()).reward).toBe(0)
  })

  it('writes statuses and the reward 0 where no lists exist yet', async () => {
    const observed = await task({ f2p: [], p2p: [] })
    const graded = await observed.grade()
    expect(graded.reward).toBe(0)
    expect(Object.keys(graded.report?.tests ?? {})).toHaveLength(3)
  })

  it('gives a program 1 or 0', async () => {
    const program = await task({ run: pytestPlan({ reward: 'binary' }), p2p: ['tests/test_old.py::absent'] })
    await program.write({ 'calc.py': fixed })
    expect((await program.grade()).reward).toBe(0)
  })

  it('survives a broken test file beside a good one [P10]', async () => {
    const broken = await task({
      restore: { 'tests/test_calc.py': hidden, 'tests/test_old.py': old, 'tests/test_b.py': 'import nothing_here\n' },
    })
    await broken.write({ 'calc.py': fixed })
    const graded = await broken.grade()
    expect(graded.report).toMatchObject({ parse_status: 'ok', unloaded: ['tests/test_b.py'], exit_codes: [1] })
    expect(graded).toMatchObject({ reward: 1, details: { resolved: true, command_resolved: false } })
  })
})

describe('what the agent plants', () => {
  const attack = async (files: Parameters<Task['write']>[0]) => {
    const attacked = await task()
    await attacked.write(files)
    return attacked.grade()
  }
  const mark = `import pytest\n@pytest.hookimpl(hookwrapper=True)\ndef pytest_runtest_makereport(item, call):\n    result = yield\n    result.get_result().outcome = "passed"\n`

  it('a conftest.py whose hook marks every call as passed is gone [F3 F16 H08]', async () => {
    expect((await attack({ 'conftest.py': mark, 'tests/conftest.py': mark })).reward).toBe(0)
  })
  it('a conftest.py that prints a PASSED line decides nothing [F16 H05 W5]', async () => {
    const print = `import atexit\natexit.register(lambda: print("PASSED ${f2p[0]}"))\n`
    expect((await attack({ 'conftest.py': print })).reward).toBe(0)
  })
  it('a source that prints results and exits 0 is ungradable [W5 W6 H05 B14]', async () => {
    const exits = `import os\nprint("PASSED ${f2p[0]}\\n3 passed", flush=True)\nos._exit(0)\n`
    const graded = await attack({ 'calc.py': exits })
    expect(graded).toMatchObject({
      reward: 0,
      details: { status: 'ungradable', parse_status: 'no_report', exit_code: 0 },
    })
  })
  it('a bad byte in the log switches to nothing [W6]', async () => {
    const noisy = `import os\nos.write(1, b"\\xff\\xfe PASSED")\nos._exit(0)\n`
    const graded = await attack({ 'calc.py': noisy })
    expect(graded).toMatchObject({ reward: 0, details: { parse_status: 'no_report' } })
  })
  it('an edited test, a deleted test and an edited configuration are restored [F3 H08 W3 W8]', async () => {
    const attacked = await task()
    await attacked.write({
      'tests/test_calc.py': 'def test_sum(): pass\ndef test_zero(): pass\n',
      'pytest.ini': '[pytest]\naddopts = -qq --collect-only\n',
    })
    rmSync(join(attacked.tree, 'tests/test_old.py'))
    const graded = await attacked.grade()
    expect(graded).toMatchObject({ reward: 0, details: { f2p_passed: 0, p2p_passed: 2 } })
  })
  it('an extra test file and a compiled twin of a test are gone', async () => {
    const attacked = await task()
    await attacked.write({
      'tests/test_more.py': 'x',
      'sub/test_x.py': 'x',
      'tests/__pycache__/test_calc.cpython-311.pyc': 'x',
      'tests/data/x.txt': '',
    })
    await attacked.grade()
    for (const path of ['tests/test_more.py', 'sub/test_x.py', 'tests/data/x.txt'])
      expect(existsSync(join(attacked.tree, path))).toBe(false)
  })
  it('a hidden path that the agent made already is overwritten [H07 W4]', async () => {
    const honest = await task()
    await honest.write({ 'calc.py': fixed, 'tests/test_calc.py': 'mine\n' })
    expect((await honest.grade()).reward).toBe(1)
  })
  it('a hidden path made a folder, a link or a link to a folder is replaced, and nothing outside is touched [W4]', async () => {
    const attacked = await task()
    await attacked.write({ 'calc.py': fixed })
    const outside = join(attacked.root, 'outside')
    mkdirSync(outside)
    writeFileSync(join(outside, 'test_calc.py'), 'precious')
    rmSync(join(attacked.tree, 'tests'), { recursive: true })
    symlinkSync(outside, join(attacked.tree, 'tests'))
    rmSync(join(attacked.tree, 'pytest.ini'))
    mkdirSync(join(attacked.tree, 'pytest.ini/deep'), { recursive: true })
    expect((await attacked.grade()).reward).toBe(1)
    expect(readFileSync(join(outside, 'test_calc.py'), 'utf8')).toBe('precious')
    expect(lstatSync(join(attacked.tree, 'tests')).isSymbolicLink()).toBe(false)
    expect(lstatSync(join(attacked.tree, 'pytest.ini')).isFile()).toBe(true)
  })
  it('reward files of any kind are deleted first [F8 H11 H13]', async () => {
    const attacked = await task()
    const stolen = join(attacked.root, 'stolen')
    writeFileSync(stolen, 'keep')
    writeFileSync(join(attacked.logs, 'reward.json'), '{"reward": 1}')
    mkdirSync(join(attacked.logs, 'reward.txt'))
    symlinkSync(stolen, join(attacked.logs, 'tests.json'))
    const graded = await attacked.grade()
    expect(graded).toMatchObject({ reward: 0, text: 0 })
    expect(readFileSync(stolen, 'utf8')).toBe('keep')
  })
  it('planted rewards do not survive a grader that cannot run [F8]', async () => {
    const attacked = await task()
    writeFileSync(join(attacked.logs, 'reward.json'), '{"reward": 1}')
    rmSync(join(attacked.tests, 'grade.py'))
    expect(await attacked.grade()).toMatchObject({ reward: 0, text: 0 })
  })
  it('modules in the work tree and Python variables do not reach the grader', async () => {
    const attacked = await task()
    await attacked.write({ 'json.py': 'raise SystemExit("json")', 'sitecustomize.py': 'raise SystemExit("site")' })
    const graded = await attacked.grade([], {
      PYTHONPATH: attacked.tree,
      PYTHONSTARTUP: join(attacked.tree, 'json.py'),
    })
    expect(graded.details.status).not.toBe('grader_error')
    expect(graded.reward).toBe(0)
  })
  it('data of the tests that has no copy must be as it was [F3]', async () => {
    const left = { 'tests/golden.json': '[1]', 'tests/gone.bin': '' }
    for (const [written, status] of [
      [left, 'graded'],
      [{ ...left, 'tests/golden.json': '[2]' }, 'test_data_changed'],
      [{ 'tests/golden.json': '[1]' }, 'test_data_changed'],
      [{ 'tests/gone.bin': '', 'tests/golden.json': { link: '../calc.py' } }, 'test_data_changed'],
    ] as const) {
      const purge = { names: [], folders: [] }
      const made = await task({ left, purge })
      await made.write({ ...written, 'calc.py': fixed })
      expect((await made.grade()).details.status).toBe(status)
    }
  })
  it('says which data that has no copy the tests rewrite [F3]', async () => {
    const purge = { names: [], folders: [] }
    const run = scriptPlan(`${report}; echo 2 > tests/cache.db`)
    const made = await task({ left: { 'tests/cache.db': '1' }, purge, run })
    await made.write({ 'tests/cache.db': '1' })
    expect((await made.grade()).details).toMatchObject({ status: 'graded', left_changed: ['tests/cache.db'] })
  })
  it('a grader copy that differs from what was shipped makes the run ungradable [F2]', async () => {
    const attacked = await task()
    await attacked.write({ 'calc.py': fixed })
    writeFileSync(join(attacked.tests, 'files/0'), 'def test_sum(): pass\n')
    expect(await attacked.grade()).toMatchObject({ reward: 0, details: { status: 'grader_changed' } })
  })

  for (const [what, script] of [
    ['a list', `echo '["m.C.t"]' > "$1/f2p.json"`],
    ['a parser', `echo 'raise SystemExit' > "$1/formats/events_jsonl.py"`],
    ['a module beside a driver', `mkdir -p "$1/reporters" && echo 'raise SystemExit' > "$1/reporters/json.py"`],
    ['a link in place of a file', `ln -sf /dev/null "$1/run.json"`],
  ] as const)
    it(`${what} written while tests run makes the run ungradable [F2 F3]`, async () => {
      const argv = ['/bin/sh', '-c', `${script}; ${report}`, '{report}', '{tests}']
      const commands = [{ argv, report: 'r.jsonl' }]
      const attacked = await task({
        run: { runner: 'unittest', format: 'events-jsonl', commands },
        f2p: ['m.C.hard'],
        p2p: [],
      })
      expect(await attacked.grade()).toMatchObject({ reward: 0, details: { status: 'grader_changed' } })
    })

  const namespaces = canUnshare()
  const planted = async () => {
    const attacked = await task()
    const forged = `open(${JSON.stringify(join(attacked.root, 'was-run'))}, 'w')\n`
    await writeFiles(attacked.tests, {
      'report/__init__.py': forged,
      'formats/__init__.py': forged,
      'unicodedata.py': forged,
      'reporters/json/__init__.py': forged,
      'files/more/a.py': forged,
      link: { link: '/etc' },
    })
    return attacked
  }
  it.skipIf(!namespaces)('modules in the folder of the grader are gone before it imports anything [H05]', async () => {
    const attacked = await planted()
    const inside = ['unshare', '--pid', '--fork', '--mount-proc', '--kill-child', 'bash', '-c', '"$@"; exit', 'init']
    expect(await attacked.grade(inside)).toMatchObject({ reward: 0, details: { status: 'graded' } })
    expect(existsSync(join(attacked.root, 'was-run'))).toBe(false)
    expect(readdirSync(attacked.tests)).not.toContain('link')
    expect(existsSync('/etc/passwd')).toBe(true)
  })
  it.each([
    ['a link in the place of a folder', 'formats'],
    ['a link in the place of a file', 'report.py'],
    ['a link in the place of the list of contents', 'contents.json'],
    ['a folder in the place of the list of contents', 'contents.json'],
  ])('%s is refused [H05]', async (what, name) => {
    const attacked = await task()
    await attacked.write({ 'calc.py': fixed })
    const place = join(attacked.tests, name)
    renameSync(place, join(attacked.root, 'moved'))
    if (what.startsWith('a link')) symlinkSync(join(attacked.root, 'moved'), place)
    else mkdirSync(place)
    expect(await attacked.grade()).toMatchObject({ reward: 0, details: { status: 'grader_changed' } })
  })
  it.skipIf(readlinkSync('/proc/self/ns/pid') !== 'pid:[4026531836]')(
    'files beside the grader stay on a machine of somebody, and nothing is graded',
    async () => {
      const attacked = await planted()
      expect(await attacked.grade()).toMatchObject({ reward: 0, text: 0, details: { status: 'grader_changed' } })
      expect(existsSync(join(attacked.root, 'was-run'))).toBe(false)
      expect(readdirSync(attacked.tests)).toContain('link')
    },
  )
  it.skipIf(!namespaces)(
    'a background loop that rewrites the reward is killed, its caller spared [H11 F16 W11]',
    async () => {
      const attacked = await task()
      const rewrite = `echo 1 > ${attacked.logs}/reward.txt; echo '{"reward": 1}' > ${attacked.logs}/reward.json`
      const script = `( (while :; do ${rewrite}; done) & setsid sleep 1000 & ); sleep 0.2; (exec -a caller bash -c '"$@" 2>&1 | cat; echo ended > ${attacked.root}/caller' bash "$@"); sleep 0.3`
      const inside = ['unshare', '--pid', '--fork', '--mount-proc', '--kill-child', 'bash', '-c', script, 'init']
      const graded = await attacked.grade(inside)
      expect(graded).toMatchObject({ reward: 0, text: 0, details: { status: 'graded' } })
      expect(readFileSync(join(attacked.root, 'caller'), 'utf8')).toBe('ended\n')
    },
  )
})

describe.skipIf(!canUnshare())('a process that forks and exits without end', () => {
  /** It turns a reward of 0 into 1, under another number each time it is looked for. */
  const hopper = (logs: string) => `#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>
int main() {
  if (fork()) return 0;
  setsid();
  close(0); close(1); close(2);
  for (time_t end = time(0) + 20; time(0) < end; ) {
    char text[4096];
    int file = open("${logs}/reward.json", O_RDONLY);
    int length = file < 0 ? 0 : read(file, text, sizeof text - 1);
    if (file >= 0) close(file);
    text[length > 0 ? length : 0] = 0;
    if (strstr(text, "\\"reward\\": 0.0")) {
      file = open("${logs}/reward.json", O_WRONLY | O_TRUNC);
      if (write(file, "{\\"reward\\": 1.0}\\n", 16)) return 0;
    }
    if (fork()) _exit(0);
  }
}
`
  const compiled = (folder: string, logs: string) => {
    writeFileSync(join(folder, 'hop.c'), hopper(logs))
    execFileSync('cc', ['-w', '-o', join(folder, 'hop'), join(folder, 'hop.c')])
    return join(folder, 'hop')
  }
  const inNamespace = ['unshare', '--pid', '--fork', '--mount-proc', '--kill-child', 'bash', '-c']

  it('and that the agent left does not outlive the start of the verifier [H11 F16]', async () => {
    const attacked = await task()
    const script = `${compiled(attacked.root, attacked.logs)}; "$@"; sleep 0.3`
    const graded = await attacked.grade([...inNamespace, script, 'init'])
    expect(graded).toMatchObject({ reward: 0, text: 0 })
  })

  it('and that a test left does not outlive its command [H11 W11]', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'r2e-hop-'))
    onTestFinished(() => rmSync(folder, { recursive: true }))
    const argv = ['/bin/sh', '-c', `${folder}/hop; ${report}`, '{report}']
    const run = { runner: 'unittest', format: 'events-jsonl', commands: [{ argv, report: 'r.jsonl' }] } as const
    const left = await task({ run, f2p: ['m.C.hard'], p2p: [] })
    compiled(folder, left.logs)
    const graded = await left.grade([...inNamespace, '"$@"; sleep 0.3', 'init'])
    expect(graded).toMatchObject({ reward: 0, text: 0 })
  })
})

describe('a runner that misbehaves', () => {
  it('that is missing is a crash without a report, never a verdict', async () => {
    const missing = await task({
      run: { ...pytestPlan(), commands: [{ argv: ['/nowhere/python', '-m', 'pytest'], report: '0.xml' }] },
    })
    const graded = await missing.grade()
    expect(graded.report).toMatchObject({ outcome: 'crashed', parse_status: 'no_report', exit_codes: [127] })
    expect(graded.output).toContain('/nowhere/python')
  })

  it('that hangs with forked children times out, and nothing of it lives on [W11 D08 F10]', async () => {
    const seconds = 4321 + process.pid
    const script = `${report}; sleep ${seconds} & (setsid sleep ${seconds} &); sleep ${seconds}`
    const hanging = await task({ run: scriptPlan(script, { timeout_sec: 1 }), f2p: ['m.C.t'], p2p: [] })
    const start = performance.now()
    const graded = await hanging.grade()
    expect(performance.now() - start).toBeLessThan(15_000)
    expect(graded).toMatchObject({ reward: 0, details: { status: 'timed_out' } })
    expect(graded.report).toMatchObject({ outcome: 'timed_out', tests: { 'm.C.t': 'PASSED' }, exit_codes: [] })
    expect(processesWith(`sleep\0${seconds}`)).toEqual([])
  })

  it('that leaves a child holding its output does not delay the end [D08]', async () => {
    const seconds = 8765 + process.pid
    const leaving = await task({
      run: scriptPlan(`${report}; setsid sleep ${seconds} & exit 0`),
      f2p: ['m.C.t'],
      p2p: [],
    })
    const start = performance.now()
    expect(await leaving.grade()).toMatchObject({ reward: 1, details: { outcome: 'completed' } })
    expect(performance.now() - start).toBeLessThan(15_000)
    expect(processesWith(`sleep\0${seconds}`)).toEqual([])
  })

  it('that dies of a signal after a good report is no clean command', async () => {
    const dying = await task({ run: scriptPlan(`${report}; kill -SEGV $$`), f2p: ['m.C.t'], p2p: [] })
    const graded = await dying.grade()
    expect(graded.report).toMatchObject({ outcome: 'crashed', exit_codes: [-11] })
    expect(graded.details).toMatchObject({ reward: 1, resolved: true, command_resolved: false })
  })

  it('that exits 1 with all passed is no clean command [L11]', async () => {
    const failing = await task({ run: scriptPlan(`${report}; exit 1`), f2p: ['m.C.t'], p2p: [] })
    expect((await failing.grade()).details).toMatchObject({ resolved: true, command_resolved: false, exit_code: 1 })
  })

  const reports: [string, string, string][] = [
    ['writes no report', 'true', 'no_report'],
    ['leaves a link for a report', 'ln -s /etc/passwd "$0/r.jsonl"', 'no_report'],
    ['leaves a pipe for a report', 'mkfifo "$0/r.jsonl"', 'no_report'],
    ['leaves a folder for a report', 'mkdir "$0/r.jsonl"', 'no_report'],
    ['lists no tests [B14]', ': > "$0/r.jsonl"', 'no_tests'],
  ]
  for (const [what, script, status] of reports)
    it(`that ${what} is ungradable: ${status}`, async () => {
      const made = await task({ run: scriptPlan(script), f2p: ['m.C.t'], p2p: [] })
      const graded = await made.grade()
      expect(graded).toMatchObject({ reward: 0, details: { status: 'ungradable', parse_status: status } })
      expect(graded.report?.parse_detail).toContain(status === 'no_report' ? 'r.jsonl' : 'no test')
    })

  it('that leaves a truncated report is ungradable, the path named [P20 L16]', async () => {
    const script = `printf '<testsuites><testsuite><testcase classname="a" name="t" file="a.py"/>' > "$0/r.xml"`
    const commands = [{ argv: ['/bin/sh', '-c', script, '{report}'], report: 'r.xml' }]
    const cut = await task({ run: { commands }, f2p: ['a.py::t'], p2p: [] })
    const graded = await cut.grade()
    expect(graded).toMatchObject({ reward: 0, details: { parse_status: 'malformed' } })
    expect(graded.report?.parse_detail).toMatch(/^r\.xml: the XML is not well-formed/)
  })

  it('that floods its output leaves head and tail of the log', async () => {
    const loud = await task({
      run: scriptPlan(`${report}; echo first; yes | head -c 30000000; printf '\\377last\\n'`),
      f2p: ['m.C.t'],
      p2p: [],
    })
    const { reward, output } = await loud.grade()
    expect(reward).toBe(1)
    expect(output.length).toBeLessThan(2_000_000)
    expect(output.startsWith('first')).toBe(true)
    expect(output).toContain('bytes left out')
    expect(output.trimEnd().endsWith('last')).toBe(true)
  })

  it('gets several commands, merged by the worst, under one deadline', async () => {
    const one = (status: string, name: string) => ({
      argv: [
        '/bin/sh',
        '-c',
        `echo '{"event":"end","id":"m.C.${name}","status":"${status}"}'; echo '{"event":"done"}'; echo log >&2`,
      ],
      report: `${status}-${name}.jsonl`,
      stdout: true,
    })
    const commands = [one('PASSED', 'a'), one('FAILED', 'a'), one('PASSED', 'b')]
    const several = await task({
      run: { runner: 'x', format: 'events-jsonl', commands },
      f2p: ['m.C.a', 'm.C.b'],
      p2p: [],
    })
    const graded = await several.grade()
    expect(graded.report).toMatchObject({ tests: { 'm.C.a': 'FAILED', 'm.C.b': 'PASSED' }, exit_codes: [0, 0, 0] })
    expect(graded).toMatchObject({ reward: 0.5, output: 'log\nlog\nlog\n', details: { resolution: 'PARTIAL' } })
  })

  it('leaves no result of its other commands where one fails without a report', async () => {
    const broken = { argv: ['/bin/sh', '-c', 'echo died >&2; exit 3'], report: 'second.jsonl' }
    const [good] = scriptPlan(report).commands!
    const half = await task({
      run: { runner: 'x', format: 'events-jsonl', commands: [good!, broken] },
      f2p: ['m.C.t'],
      p2p: [],
    })
    const graded = await half.grade()
    expect(graded).toMatchObject({ reward: 0, details: { status: 'ungradable', parse_status: 'no_report' } })
    expect(graded.details.detail).toContain('second.jsonl')
  })

  it('sees a fixed environment, and the plan may add to it', async () => {
    const commands = [{ argv: ['/bin/sh', '-c', 'env >&2; echo "tests={tests}" >&2; cat'], report: 'r', stdout: true }]
    const env = { MINE: '{report}/x', TZ: 'Asia/Tokyo' }
    const made = await task({ run: { runner: 'x', format: 'events-jsonl', commands, env } })
    const { output } = await made.grade([], { FORCE_COLOR: '1', LC_ALL: 'de_DE', KEPT: 'yes' })
    for (const line of [
      'CI=1',
      'NO_COLOR=1',
      'TERM=dumb',
      'LANG=C.UTF-8',
      'PYTHONHASHSEED=0',
      'TZ=Asia/Tokyo',
      'KEPT=yes',
    ])
      expect(output.split('\n')).toContain(line)
    expect(output).toMatch(/^MINE=\/.+\/reports\/x$/m)
    expect(output).toContain(`tests=${made.tests}`)
    expect(output).not.toMatch(/^(?:FORCE_COLOR|LC_ALL|R2E_LOGS|R2E_PATH)=/m)
  })

  it('cannot reach the report of an earlier run [X7 F12]', async () => {
    const again = await task({ run: scriptPlan(`[ -e "${'$0'}/r.jsonl" ] || ${report}`), f2p: ['m.C.t'], p2p: [] })
    expect((await again.grade()).reward).toBe(1)
    writeFileSync(
      join(again.tests, 'run.json'),
      readFileSync(join(again.tests, 'run.json'), 'utf8').replace(JSON.stringify(report).slice(1, -1), 'true'),
    )
    expect(await again.grade()).toMatchObject({ reward: 0, details: { parse_status: 'no_report' } })
  })
})

describe('restoring', () => {
  it('writes paths of any bytes, modes and links, and deletes', async () => {
    const made = await task({
      tree: { 'gone/deep.txt': 'x', 'stays.txt': 'x', 'run.sh': 'old' },
      restore: { 'caf\udce9/a b"c\n.py': 'one', 'run.sh': '#!/bin/sh\n', link: '../else where' },
      remove: ['gone', 'absent/path', 'stays.txt/below'],
      run: scriptPlan(report),
    })
    const plan = JSON.parse(readFileSync(join(made.tests, 'restore.json'), 'utf8'))
    plan.files[1].mode = '100755'
    plan.files[2].mode = '120000'
    writeFileSync(join(made.tests, 'restore.json'), JSON.stringify(plan))
    expect((await made.grade()).details.status).toBe('graded')
    const listing = execFileSync('find', ['.', '-printf', '%y %m %P %l\\0'], { cwd: made.tree, encoding: 'latin1' })
    expect(listing.split('\0').sort().slice(1)).toMatchInlineSnapshot(`
      [
        "d 755  ",
        "d 755 café ",
        "f 644 café/a b"c
      .py ",
        "f 755 run.sh ",
        "l 777 link ../else where",
      ]
    `)
  })

  it('refuses paths that leave the tree', async () => {
    const made = await task({ restore: { '../evil': 'x' }, run: scriptPlan(report) })
    expect(await made.grade()).toMatchObject({ reward: 0, details: { status: 'bad_plan' } })
    expect(existsSync(join(made.root, 'evil'))).toBe(false)
  })

  it('purges by name and by folder, without entering skipped folders or links', async () => {
    const made = await task({
      tree: {
        'a/conftest.py': '',
        'node_modules/conftest.py': '',
        'tests/extra/x.py': '',
        'tests/keep/mine.py': '',
        'b[1].py': '',
        'b1.py': '',
        'confTest.py': '',
        away: { link: '/etc' },
        'tests/away': { link: '/etc' },
      },
      restore: { 'tests/keep/mine.py': 'grader' },
      purge: { names: ['conftest.py', 'b[?].py'], folders: ['tests'], skip: ['node_modules'] },
      run: scriptPlan(report),
    })
    await made.grade()
    const listing = execFileSync('find', ['.', '-not', '-type', 'd', '-printf', '%P\\n'], {
      cwd: made.tree,
      encoding: 'utf8',
    })
    expect(listing.trim().split('\n').sort()).toEqual([
      'away',
      'b1.py',
      'confTest.py',
      'node_modules/conftest.py',
      'tests/keep/mine.py',
    ])
  })
})

it('purges all else in a folder that the rule names and that holds a file of the grader', async () => {
  const made = await task({
    tree: { '.cargo/config': 'agent', '.cargo/sub/config': 'agent', '.cargo/config.toml': 'old', 'cargo/x': '' },
    restore: { '.cargo/config.toml': 'grader' },
    purge: { names: ['.cargo'] },
    run: scriptPlan(report),
  })
  await made.grade()
  expect(readdirSync(made.tree, { recursive: true }).sort()).toEqual([
    '.cargo',
    '.cargo/config.toml',
    'cargo',
    'cargo/x',
  ])
})

describe('a diff task', () => {
  const diff = [
    'diff',
    '--cached',
    '--no-color',
    '--no-ext-diff',
    '--no-textconv',
    '--no-renames',
    '--binary',
    '--full-index',
    '-U3',
    '--src-prefix=a/',
    '--dst-prefix=b/',
  ]
  const git = (cwd: string, ...args: string[]) =>
    execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@b', '-c', 'init.defaultBranch=main', ...args], {
      cwd,
      encoding: 'utf8',
    })
  async function diffTask(oracle: string, extra: object = {}): Promise<Task> {
    const made = await task({
      tree: { 'calc.py': source, '.gitignore': '*.log\n' },
      run: undefined,
      diff: { diff, oracle, ...extra },
    })
    git(made.tree, 'init', '-q')
    git(made.tree, 'add', '-A')
    git(made.tree, 'commit', '-qm', 'base')
    return made
  }

  it('gives the oracle 1, staged, committed or neither, new files and all [F4]', async () => {
    const probe = await diffTask('')
    await probe.write({ 'calc.py': fixed, 'new file.py': 'x = 1\n' })
    git(probe.tree, 'add', '-A')
    const oracle = git(probe.tree, ...diff)
    for (const state of ['unstaged', 'staged', 'committed']) {
      const made = await diffTask(oracle)
      await made.write({ 'calc.py': fixed, 'new file.py': 'x = 1\n', 'noise.log': 'x' })
      if (state !== 'unstaged') git(made.tree, 'add', '-A')
      if (state === 'committed') git(made.tree, 'commit', '-qm', 'mine')
      expect(await made.grade()).toMatchObject({
        reward: 1,
        text: 1,
        flat: { similarity: 1 },
        details: { status: 'ok' },
      })
    }
  })

  it('gives an untouched tree 0', async () => {
    const made = await diffTask('--- a/calc.py\n+++ b/calc.py\n@@ -1 +1 @@\n-a\n+b\n')
    expect(await made.grade()).toMatchObject({ reward: 0, details: { parse_error: 'empty prediction' } })
  })

  it('compares by the metric of the plan', async () => {
    const made = await diffTask(
      `diff --git a/calc.py b/calc.py\n--- a/calc.py\n+++ b/calc.py\n@@ -2 +2 @@\n-    return a - b\n+    return a + b\n`,
      { metric: 'changed_lines' },
    )
    await made.write({ 'calc.py': fixed })
    expect((await made.grade()).reward).toBe(1)
  })

  it('runs nothing that the agent configured', async () => {
    const made = await diffTask('x')
    const trap = join(made.root, 'trap')
    const command = `touch ${trap}`
    await made.write({
      'calc.py': fixed,
      '.gitattributes': '* filter=evil diff=evil text eol=crlf\n',
      '.git/hooks/pre-commit': command,
    })
    for (const key of [
      'core.fsmonitor',
      'filter.evil.clean',
      'diff.evil.textconv',
      'diff.external',
      'core.pager',
      'core.sshCommand',
      'gpg.program',
    ])
      git(made.tree, 'config', key, `${command}; cat`)
    writeFileSync(join(made.tests, 'oracle.diff'), 'x\n')
    rmSync(trap, { force: true })
    await made.grade()
    expect(existsSync(trap)).toBe(false)
  })

  it('says that a diff is too large, and scores it 0', async () => {
    const made = await diffTask('+x\n')
    await made.write({ 'big.txt': 'x\n'.repeat(120_000) })
    expect(await made.grade()).toMatchObject({ reward: 0, details: { status: 'too_large', similarity: null } })
  })

  it('is ungradable without its repository', async () => {
    const made = await diffTask('+x\n')
    rmSync(join(made.tree, '.git'), { recursive: true })
    expect(await made.grade()).toMatchObject({ reward: 0, details: { status: 'git_failed' } })
  })
})

function canUnshare(): boolean {
  try {
    execFileSync('unshare', ['--pid', '--fork', '--mount-proc', 'true'], { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}

/** Ids of processes whose command line holds a text. */
function processesWith(text: string): string[] {
  const found: string[] = []
  for (const pid of execFileSync('ls', ['/proc'], { encoding: 'utf8' }).split('\n'))
    try {
      if (/^\d+$/.test(pid) && readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes(text)) found.push(pid)
    } catch {}
  return found
}
