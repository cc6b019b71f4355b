import { type Draft, encodeUtf8, type FileEntry, type Recipe, type RunPlan } from '@r2e/spec'
import type { TaskInput, TaskTests } from '../task-input.ts'

export const RECIPE: Recipe = {
  schema: 'r2e.recipe/1',
  language: 'python',
  baseImage: 'lab/python',
  system: ['less'],
  env: { PATH: '/opt/venv/bin:${PATH}' },
  files: [{ path: 'requirements.txt', text: '' }],
  dependencies: [{ run: 'python3 -m venv /opt/venv', network: true }],
  setup: [],
  project: [{ run: 'false', network: false, optional: true }],
  runner: 'unittest',
  suite: [],
  testEnv: {},
  manifests: [],
  origin: [],
}

export const DRAFT: Draft = {
  kind: 'draft',
  instruction: 'Adding two numbers gives their difference.\n\nMake `add` add.',
  setup: [],
  solution: encodeUtf8(
    [
      'diff --git a/calc.py b/calc.py',
      '--- a/calc.py',
      '+++ b/calc.py',
      '@@ -1,5 +1,5 @@',
      ' def add(a, b):',
      '-    return a - b',
      '+    return a + b',
      ' ',
      ' ',
      ' def twice(a):',
      '',
    ].join('\n'),
  ),
  hidden: [],
  plan: { environment: true },
  category: 'bugfix',
  reference: 'https://example.com/acme/calc/commit/1',
  sourceFiles: 1,
  changedLines: 2,
  metadata: { commit_date: '2024-01-01T00:00:00Z', issue: null },
  provenance: {},
}

export const RUN: RunPlan = {
  schema: 'r2e.run/1',
  workdir: '/app',
  runner: 'pytest',
  format: 'junit-pytest',
  commands: [{ argv: ['python', '-m', 'pytest', '--junitxml={report}/0.xml'], report: '0.xml' }],
  env: {},
  timeout_sec: 60,
  coverage: 'suite',
}

export function taskInput(changes: Partial<TaskInput> = {}): TaskInput {
  return {
    taskId: 'acme__calc-0123456789ab',
    org: 'acme',
    pipeline: { name: 'commit_runtime', version: '1' },
    repository: { url: 'https://example.com/acme/calc', owner: 'acme', name: 'calc', access: 'public' },
    base: 'a'.repeat(40),
    draft: DRAFT,
    recipe: undefined,
    snapshot: undefined,
    tests: undefined,
    limits: { verifierTimeoutSec: 300, cpus: 1, memoryMb: 2048 },
    grader: [],
    baselineReward: undefined,
    licence: undefined,
    image: undefined,
    versionTag: undefined,
  validation: 'verified',
    ...changes,
  }
}

export function taskTests(failToPass: readonly string[], passToPass: readonly string[]): TaskTests {
  const restore = { schema: 'r2e.restore/1', files: [], delete: [], purge: { names: [], folders: [], skip: [] } } as const
  return { run: RUN, restore, files: [], failToPass, passToPass }
}

export function textOf(files: readonly FileEntry[], path: string): string {
  const file = files.find((entry) => entry.path === path)
  if (!file) throw new Error(`${path} is missing among ${files.map((entry) => entry.path).join(', ')}`)
  return new TextDecoder().decode(file.content)
}
