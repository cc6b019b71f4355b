import {
  chmodSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { graderFiles } from '@r2e/grader'
import { contentHash } from '@r2e/spec'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { readTask } from '../dataset/read-task.ts'
import { makeDataset } from './__fixtures__/make-dataset.ts'
import { checkRenderedTask } from './check-task.ts'
import { type ValidateOptions, validate } from './validate.ts'
import type { ValidateSummary } from './validate-event.ts'

const root = mkdtempSync(join(tmpdir(), 'r2e-validate-'))
const TASK = 'acme__calc-0123456789ab'
let dataset: string
let both: string

beforeAll(async () => {
  dataset = await makeDataset(root, { similarity: false })
  both = await makeDataset(root, { similarity: true })
})
afterAll(() => rmSync(root, { recursive: true, force: true }))

interface Outcome {
  readonly findings: readonly string[]
  readonly messages: readonly string[]
  readonly summary: ValidateSummary
}

async function check(path: string, options: ValidateOptions = { deep: true }): Promise<Outcome> {
  const findings: string[] = []
  const messages: string[] = []
  const events = validate(path, options)
  for (let next = await events.next(); ; next = await events.next()) {
    if (next.done) return { findings, messages, summary: next.value }
    if (next.value.type !== 'finding') continue
    findings.push(`${next.value.level} ${next.value.code}`)
    messages.push(next.value.message)
  }
}

/** A folder with a task of nothing but these files. */
function taskOf(files: Record<string, string | Uint8Array>): string {
  const directory = join(mkdtempSync(join(root, 'task-')), 'task')
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(join(directory, path, '..'), { recursive: true })
    writeFileSync(join(directory, path), content)
  }
  return directory
}

const MINIMAL = 'schema_version = "1.3"\n[task]\nname = "acme/x"\n[metadata.repo2env]\npipeline = "x"\n'

describe('validate', () => {
  it('accepts what the engine writes, deep', async () => {
    const { findings, summary } = await check(both)
    expect(findings).toEqual([])
    expect(summary).toEqual({ ok: true, tasks: 2, valid: 2, errors: 0, warnings: 0, runs: 0 })
  })

  it('finds no task in a folder without one, and in no folder', async () => {
    mkdirSync(join(root, 'empty'))
    for (const path of ['empty', 'nowhere'])
      expect((await check(join(root, path))).summary).toMatchObject({ ok: false, tasks: 0, errors: 0 })
  })

  it('takes a single task or its task.toml, and holds it against the manifest beside it', async () => {
    expect((await check(join(dataset, TASK))).summary).toMatchObject({ ok: true, tasks: 1 })
    expect((await check(join(dataset, TASK, 'task.toml'), {})).summary).toMatchObject({ ok: true, tasks: 1 })
  })

  it('accepts version and schema_version alike, and only warns where the repo2env table is missing [J7]', async () => {
    const body = '[task]\nname = "acme/x"\n'
    for (const key of ['version = "1.0"', 'schema_version = "1.3"', 'schema_version = "1.4"']) {
      const { findings, summary } = await check(taskOf({ 'task.toml': `${key}\n${body}` }), {})
      expect([findings, summary.ok]).toEqual([['warning repo2env_missing'], true])
    }
  })

  it('names what is wrong with a task.toml, with line and column where it does not parse', async () => {
    const cases: [string | Uint8Array, string, RegExp][] = [
      ['a = \n', 'toml_invalid', /^task\.toml:1:5: /],
      [`\uFEFF${MINIMAL}`, 'toml_invalid', /byte order mark/],
      [Uint8Array.of(0xff), 'toml_invalid', /UTF-8/],
      [MINIMAL.replace('"1.3"', '1.3'), 'toml_invalid', /schema_version/],
      [MINIMAL.replace(/^.*\n/, ''), 'version_missing', /neither/],
      [MINIMAL.replace('acme/x', 'x'), 'name_invalid', /org\/name/],
      [MINIMAL.replace('acme/x', 'acme/..x'), 'name_invalid', /org\/name/],
      [MINIMAL.replace('name', 'title'), 'name_missing', /\[task\]\.name/],
    ]
    for (const [text, code, message] of cases) {
      const found = await check(taskOf({ 'task.toml': text }), {})
      expect([found.findings, found.summary.ok]).toEqual([[`error ${code}`], false])
      expect(found.messages[0]).toMatch(message)
    }
  })

  it('checks a stated content hash without being asked', async () => {
    const files = { 'instruction.md': 'Fix it.\n', 'solution/patch.diff': 'diff --git a/x b/x\n' }
    const hash = contentHash(files['instruction.md'], new TextEncoder().encode(files['solution/patch.diff']))
    const stated = (value: string) => ({ ...files, 'task.toml': `${MINIMAL}content_hash = "${value}"\n` })
    expect((await check(taskOf(stated(hash)), {})).findings).toEqual([])
    expect((await check(taskOf(stated('sha256:0')), {})).findings).toEqual(['error content_hash_mismatch'])
  })

  it('refuses to run tasks without a sandbox', async () => {
    await expect(check(dataset, { oracle: true })).rejects.toMatchObject({ code: 'sandbox_missing', fault: 'user' })
  })

  it('does not look for tasks behind links or in half-written folders', async () => {
    const folder = mkdtempSync(join(root, 'links-'))
    symlinkSync(dataset, join(folder, 'link'))
    cpSync(join(dataset, TASK), join(folder, '.r2e-tmp', TASK), { recursive: true })
    expect((await check(folder)).summary.tasks).toBe(0)
  })
})

type Change = (task: string, dataset: string) => void
const edit =
  (path: string, change: (text: string) => string): Change =>
  (task) =>
    writeFileSync(join(task, path), change(readFileSync(join(task, path), 'utf8')))
const remove =
  (path: string): Change =>
  (task) =>
    rmSync(join(task, path), { recursive: true })
const write =
  (path: string, text: string | Uint8Array): Change =>
  (task) =>
    writeFileSync(join(task, path), text)

/** Every one of them passed the earlier tool's own check; each is found by a cause of its own, beside the digests. */
const CORRUPTIONS: [what: string, change: Change, ...found: string[]][] = [
  ['the Dockerfile is gone', remove('environment/Dockerfile'), 'error dockerfile_missing'],
  [
    'a compose file stands for the Dockerfile',
    (task) => renameSync(join(task, 'environment/Dockerfile'), join(task, 'environment/compose.yaml')),
    'error dockerfile_missing',
  ],
  ['a file of tests/ is not named in it', write('tests/report.pth', ''), 'error contents_wrong'],
  ['test.sh does nothing', write('tests/test.sh', 'exit 0\n'), 'error script_shebang', 'error grader_changed'],
  ['test.sh is gone', remove('tests/test.sh'), 'error test_script_missing', 'error grader_missing'],
  ['grade.py is another', edit('tests/grade.py', (text) => `${text}\n`), 'error grader_changed'],
  ['pass-to-pass is emptied', write('tests/p2p.json', '[]'), 'error p2p_count', 'warning p2p_empty'],
  ['fail-to-pass is emptied', write('tests/f2p.json', '[]'), 'error f2p_count', 'warning f2p_empty'],
  ['a list is no list', write('tests/f2p.json', '{}'), 'error plan_invalid'],
  ['a test is in both lists', write('tests/p2p.json', '["tests.test_calc.Calc.test_add"]'), 'error lists_overlap'],
  ['a test is listed twice', write('tests/f2p.json', '["a", "a"]'), 'error plan_invalid'],
  [
    'the content hash is false',
    edit('task.toml', (text) => text.replace(/sha256:[0-9a-f]{4}/, 'sha256:0000')),
    'error content_hash_mismatch',
  ],
  [
    'the instruction is edited',
    edit('instruction.md', (text) => `${text}Also, be quick.\n`),
    'error content_hash_mismatch',
  ],
  [
    'the content hash is gone',
    edit('task.toml', (text) => text.replace(/content_hash.*\n/, '')),
    'error content_hash_missing',
  ],
  [
    'the solution touches another file',
    edit('solution/patch.diff', (text) => text.replaceAll('calc.py', 'unrelated.txt')),
    'error patch_does_not_apply',
    'error content_hash_mismatch',
  ],
  ['the solution is gone', remove('solution/patch.diff'), 'error solution_missing', 'error content_hash_unverifiable'],
  [
    'there is no test command',
    edit('tests/run.json', (text) => JSON.stringify({ ...JSON.parse(text), commands: [] })),
    'error plan_invalid',
  ],
  [
    'the tests may take longer than the verifier',
    edit('tests/run.json', (text) => text.replace('"timeout_sec": 60', '"timeout_sec": 300')),
    'error verifier_timeout',
  ],
  [
    "the grader's copy of a test is changed",
    (task) => {
      const from = JSON.parse(readFileSync(join(task, 'tests/restore.json'), 'utf8')).files[1].from
      writeFileSync(join(task, 'tests/files', from), 'pass\n')
    },
    'error copy_damaged',
  ],
  ['the base tree is another', write('environment/base.tar.gz', Uint8Array.of(1, 2, 3)), 'error base_damaged'],
  ['the base tree is gone', remove('environment/base.tar.gz'), 'error base_missing'],
  [
    'the snapshot is made otherwise',
    edit('environment/Dockerfile', (text) => text.replace('git gc', 'git fetch')),
    'error snapshot_step_changed',
  ],
  ['solve.sh solves otherwise', edit('solution/solve.sh', (text) => `${text}exit 0\n`), 'error solve_script_changed'],
  [
    'solve.sh has carriage returns',
    edit('solution/solve.sh', (text) => text.replaceAll('\n', '\r\n')),
    'error script_carriage_return',
  ],
  ['a key is misspelt', edit('task.toml', (text) => text.replace('memory_mb', 'memory_md')), 'error unknown_key'],
  [
    'a root key stands below a table',
    edit('task.toml', (text) => text.replace('[agent]\n', '[agent]\nartifacts = []\n')),
    'error unknown_key',
  ],
  ['the instruction is blank', write('instruction.md', ' \n'), 'error instruction_blank'],
  ['the instruction is not UTF-8', write('instruction.md', Uint8Array.of(0xe9)), 'error instruction_missing'],
  [
    'its first line would be cut',
    edit('instruction.md', (text) => `# Canary island\n${text}`),
    'error instruction_canary',
  ],
  [
    'a link leaves the task',
    (task) => symlinkSync('../../../etc/passwd', join(task, 'tests/files/link')),
    'error link_leaves_task',
  ],
  ['an ignore file hides the grader', write('tests/.harborignore', '*.py\n'), 'error file_ignored'],
  [
    'a builder feature is used',
    edit('environment/Dockerfile', (text) => `# syntax=docker/dockerfile:1\n${text}`),
    'error builder_feature',
  ],
  ['only the exec bit changes', (task) => chmodSync(join(task, 'instruction.md'), 0o755), 'error bundle_hash'],
  [
    'the manifest counts otherwise',
    (_, folder) => edit('manifest.json', (text) => text.replace('"p2p_count": 1', '"p2p_count": 0'))(folder, folder),
    'error p2p_count',
  ],
  [
    'a task comes twice',
    (task, folder) => cpSync(task, join(folder, 'twin'), { recursive: true }),
    'error name_twice',
    'warning task_unlisted',
  ],
  [
    'the registry is another',
    (_, folder) => writeFileSync(join(folder, 'registry.json'), '[{"tasks":[]}]'),
    'error registry_differs',
  ],
  [
    'the manifest is broken',
    (_, folder) => writeFileSync(join(folder, 'manifest.json'), '{'),
    'error manifest_invalid',
  ],
]

describe('validate --deep finds that', () => {
  for (const [what, change, ...found] of CORRUPTIONS)
    it(`${what} [J1 J7]`, async () => {
      const copy = join(mkdtempSync(join(root, 'copy-')), 'dataset')
      cpSync(dataset, copy, { recursive: true })
      change(join(copy, TASK), copy)
      const { findings, summary } = await check(copy)
      expect(findings).toEqual(expect.arrayContaining(found))
      expect(summary.ok).toBe(false)
    })
})

it('finds every change of a file in the bundle hash alone [W22]', async () => {
  const copy = join(mkdtempSync(join(root, 'copy-')), 'dataset')
  cpSync(dataset, copy, { recursive: true })
  writeFileSync(join(copy, TASK, 'solution/extra.txt'), '')
  const { findings } = await check(copy)
  expect(findings).toEqual(['error bundle_hash', 'error harbor_digest'])
})

it('holds a similarity task against its own solution', async () => {
  const copy = join(mkdtempSync(join(root, 'copy-')), 'dataset')
  cpSync(both, copy, { recursive: true })
  writeFileSync(join(copy, 'acme__calc-7/tests/oracle.diff'), 'x')
  const plan = join(copy, 'acme__calc-7/tests/diff.json')
  writeFileSync(plan, readFileSync(plan, 'utf8').replace(/"base": "[0-9a-f]{4}/, '"base": "0000'))
  const { findings } = await check(copy)
  expect(findings).toEqual(expect.arrayContaining(['error oracle_changed', 'error base_changed']))
})

it('finds that a task is gone [K10]', async () => {
  const copy = join(mkdtempSync(join(root, 'copy-')), 'dataset')
  cpSync(both, copy, { recursive: true })
  rmSync(join(copy, TASK), { recursive: true })
  expect((await check(copy)).findings).toEqual(['error task_absent'])
})

it('only warns of scripts of another version that the manifest knows byte for byte', async () => {
  const copy = join(mkdtempSync(join(root, 'copy-')), 'dataset')
  cpSync(dataset, copy, { recursive: true })
  edit('tests/grade.py', (text) => `${text}# older\n`)(join(copy, TASK), copy)
  const { messages } = await check(copy)
  const [bundle, harbor] = ['bundle_hash', 'harbor_digest'].map(
    (key) => messages.find((text) => text.includes(`${key} is`))!.match(/is (\S+), manifest.json says (\S+)/)!,
  )
  edit('manifest.json', (text) => text.replace(bundle![2]!, bundle![1]!).replace(harbor![2]!, harbor![1]!))(copy, copy)
  expect((await check(copy)).findings).toEqual(['warning grader_changed', 'error dataset_digest'])
})

it('checks a rendered task before it is written, in memory [J1]', async () => {
  const files = await readTask(join(dataset, TASK))
  const check = { grader: await graderFiles() }
  expect(await checkRenderedTask(files, check)).toEqual([])
  const canary = files.map((file) =>
    file.path === 'instruction.md' ? { ...file, content: new TextEncoder().encode('# canary\n') } : file,
  )
  const codes = (await checkRenderedTask(canary, check)).map((finding) => finding.code)
  expect(codes).toEqual(['content_hash_mismatch', 'instruction_canary'])
})
