import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { access, chmod, mkdir, mkdtemp, readdir, readFile, rename, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import type { DiffPlan, PurgeRule, RestoreFile, RunPlan, TestReport } from '@r2e/spec'
import { graderFiles } from '../grader-files.ts'

const run = promisify(execFile)

export type Files = Readonly<Record<string, string | Uint8Array | { readonly link: string }>>

export interface TaskOptions {
  readonly tree: Files
  /** What the grader restores: path to content. */
  readonly restore?: Readonly<Record<string, string>>
  readonly remove?: readonly string[]
  /** Data that is left to the tree: path to content. */
  readonly left?: Readonly<Record<string, string>>
  /** Test code by Rust source file. */
  readonly inline?: Readonly<Record<string, string>>
  readonly purge?: Partial<PurgeRule>
  readonly run?: Partial<RunPlan> | undefined
  readonly diff?: Partial<DiffPlan> & { readonly oracle: string }
  readonly f2p?: readonly string[]
  readonly p2p?: readonly string[]
}

export interface Task {
  readonly root: string
  readonly tree: string
  readonly tests: string
  readonly logs: string
  write(files: Files): Promise<void>
  grade(prefix?: readonly string[], env?: Readonly<Record<string, string>>): Promise<Graded>
}

export interface Graded {
  readonly reward: number
  /** reward.txt, as a number. */
  readonly text: number
  readonly flat: Readonly<Record<string, unknown>>
  readonly details: Readonly<Record<string, unknown>>
  readonly report: TestReport | undefined
  readonly output: string
}

/** A rendered task in a temporary folder: `app` is the work tree, `tests` the grader's folder, `logs` its output. */
export async function makeTask(options: TaskOptions): Promise<Task> {
  const root = await mkdtemp(join(tmpdir(), 'r2e-grader-'))
  const [tree, tests, logs] = ['app', 'tests', 'logs'].map((name) => join(root, name)) as [string, string, string]
  await writeFiles(tree, options.tree)
  await mkdir(logs)
  for (const file of await graderFiles()) {
    await writeFiles(tests, { [file.path]: file.content })
    await chmod(join(tests, file.path), Number.parseInt(file.mode.slice(-3), 8))
  }
  await writeFiles(tests, await planFiles(options, tree))
  const files = ['contents.json', ...(await readdir(tests, { recursive: true }))]
  await writeFiles(tests, { 'contents.json': JSON.stringify({ schema: 'r2e.contents/1', files }) })
  return {
    root,
    tree,
    tests,
    logs,
    write: (files) => writeFiles(tree, files),
    async grade(prefix = [], env = {}) {
      const [command = 'bash', ...args] = [...prefix, 'bash', join(tests, 'test.sh')]
      await run(command, args, { cwd: tree, env: { ...process.env, R2E_LOGS: logs, ...env }, maxBuffer: 1 << 26 })
      return readGraded(logs)
    },
  }
}

export async function removeTask(task: Task): Promise<void> {
  await rm(task.root, { recursive: true, force: true })
}

async function planFiles(options: TaskOptions, workdir: string): Promise<Files> {
  const json = (value: unknown) => `${JSON.stringify(value)}\n`
  const digest = (content: string) => createHash('sha256').update(content).digest('hex')
  const copies = Object.entries(options.restore ?? {})
  const files: RestoreFile[] = copies.map(([path, content], at) => {
    return { path, mode: '100644', from: String(at), sha256: digest(content) }
  })
  const left = Object.entries(options.left ?? {}).map(([path, content]) => ({ path, sha256: digest(content) }))
  const inline = Object.entries(options.inline ?? {}).map(([path, content], at) => {
    return { path, from: `inline-${at}`, sha256: digest(content), content }
  })
  const inlinePlan = { language: 'rust', files: inline.map(({ content: _content, ...row }) => row) }
  const purge: PurgeRule = { names: [], folders: [], skip: ['.git'], ...options.purge }
  const runPlan = {
    schema: 'r2e.run/1',
    workdir,
    runner: 'pytest',
    format: 'junit-pytest',
    commands: [],
    env: {},
    timeout_sec: 60,
    coverage: 'suite',
    ...options.run,
  } satisfies RunPlan
  const { oracle, ...diff } = { schema: 'r2e.diff/1', metric: 'ratio_v07', diff: [], workdir, oracle: '', ...options.diff }
  return {
    ...(options.run && { 'run.json': json(runPlan) }),
    ...(options.diff && { 'diff.json': json(diff), 'oracle.diff': oracle }),
    'restore.json': json({
      schema: 'r2e.restore/1',
      files,
      delete: options.remove ?? [],
      purge,
      ...(options.left && { left }),
      ...(options.inline && { inline: inlinePlan }),
    }),
    ...Object.fromEntries(inline.map(({ from, content }) => [`files/${from}`, content])),
    'f2p.json': json(options.f2p ?? []),
    'p2p.json': json(options.p2p ?? []),
    ...Object.fromEntries(copies.map(([, content], at) => [`files/${at}`, content])),
  }
}

export async function writeFiles(root: string, files: Files): Promise<void> {
  await mkdir(root, { recursive: true })
  for (const [path, content] of Object.entries(files)) {
    const target = join(root, path)
    await mkdir(dirname(target), { recursive: true })
    if (typeof content === 'object' && 'link' in content) await symlink(content.link, target)
    else await writeFile(target, content)
  }
}

async function readGraded(logs: string): Promise<Graded> {
  const read = async (name: string) => readFile(join(logs, name), 'utf8').catch(() => '')
  const json = async (name: string) => JSON.parse((await read(name)) || 'null')
  const flat = await json('reward.json')
  return {
    reward: flat.reward,
    text: Number(await read('reward.txt')),
    flat,
    details: (await json('reward-details.json')) ?? {},
    report: (await json('tests.json')) ?? undefined,
    output: await read('test-output.txt'),
  }
}

/** A Python with pytest, made once per machine. */
export async function pytestPython(): Promise<string> {
  const home = join(tmpdir(), 'r2e-grader-pytest-9.0.2')
  const python = join(home, 'bin', 'python')
  const ready = join(home, 'ready')
  if (await exists(ready)) return python
  const fresh = await mkdtemp(`${home}-`)
  await run('python3', ['-m', 'venv', fresh])
  await run(join(fresh, 'bin', 'python'), ['-m', 'pip', 'install', '-q', 'pytest==9.0.2'])
  await writeFile(join(fresh, 'ready'), '')
  await rename(fresh, home).catch(() => rm(fresh, { recursive: true, force: true }))
  return python
}

async function exists(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  )
}
