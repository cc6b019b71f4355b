import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { onTestFinished } from 'vitest'
import { createEnvironmentMender, type EnvironmentMenderOptions } from '../../packages/bootstrap/src/index.ts'
import { graderFiles } from '../../packages/grader/src/index.ts'
import { languagePacks } from '../../packages/languages/src/index.ts'
import { layerModels, openBudget, parsePrice } from '../../packages/model/src/index.ts'
import { createOpenAiModel } from '../../packages/model/src/openai/index.ts'
import {
  encodeUtf8,
  type FailedRecipe,
  type JsonObject,
  type MendOutcome,
  type MendRequest,
  type Repository,
  type SandboxProvider,
  sha256Hex,
  type Tree,
} from '../../packages/spec/src/index.ts'
import {
  type ModelServer,
  type ModelServerOptions,
  type ServerAnswer,
  startModelServer,
} from '../../packages/testing/src/index.ts'

export interface Mending {
  readonly files?: Readonly<Record<string, string>>
  readonly failed?: readonly FailedRecipe[]
  readonly options?: Partial<MendRequest['options']>
  readonly limits?: Partial<EnvironmentMenderOptions>
  /** Of the run and of the agent. */
  readonly usd?: number
  readonly agentUsd?: number
  readonly signal?: AbortSignal
}

export interface Mended {
  readonly outcome: MendOutcome | undefined
  readonly fault: unknown
  readonly server: ModelServer
  /** Lines on disk. */
  readonly lines: readonly JsonObject[]
  readonly text: string
  /** All that the endpoint received. */
  readonly sent: string
  readonly spentNanoUsd: number
  readonly seconds: number
}

/** A tree whose tests need a variable that no manifest speaks of. */
export const FILES: Readonly<Record<string, string>> = {
  'requirements.txt': '\n',
  'setup.cfg': '[metadata]\nname = demo\n',
  'demo.py': 'VALUE = 1\n',
  'tests/__init__.py': '',
  'tests/test_demo.py': [
    'import os, unittest, demo',
    "assert os.environ['NEEDED'] == 'yes'",
    'class DemoTest(unittest.TestCase):',
    '    def test_value(self): self.assertEqual(demo.VALUE, 1)',
    '',
  ].join('\n'),
}

/** One mend against a scripted endpoint, through the real adapter and all layers. */
export async function mend(
  provider: SandboxProvider,
  answer: ModelServerOptions['answer'],
  mending: Mending = {},
): Promise<Mended> {
  const folder = mkdtempSync(join(tmpdir(), 'r2e-mending-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const server = await startModelServer({ answer })
  onTestFinished(() => server[Symbol.asyncDispose]())
  const { usd = 1, agentUsd = 1 } = mending
  const budgetOf = (limit: number) => openBudget({ limit: { nanoUsd: limit * 1e9, tokens: 0 } })
  const [run, budget] = [budgetOf(usd), budgetOf(agentUsd)]
  const model = layerModels(
    [
      {
        model: createOpenAiModel({ provider: 'custom', model: 'model', endpoint: server.url, environment: {} }),
        price: parsePrice('1,2'),
      },
    ],
    {
      budget: run,
      cacheDirectory: join(folder, 'replies'),
      retry: { sleep: (_, signal) => setTimeout(1, undefined, { signal }), random: () => 0 },
    },
  )
  const mender = createEnvironmentMender({
    model,
    budget,
    provider,
    limits: { cpus: 1, memoryMb: 1024, pids: 200 },
    run: 'mending',
    packs: languagePacks,
    grader,
    maxIterations: 12,
    ...mending.limits,
  })
  const transcript = join(folder, 'transcript.jsonl')
  const started = performance.now()
  const request: MendRequest = {
    tree: treeOf(mending.files ?? FILES),
    repository: {} as unknown as Repository,
    options: { setup: [], ...mending.options },
    failed: mending.failed ?? [],
    transcript,
    signal: mending.signal ?? new AbortController().signal,
  }
  const [outcome, fault] = await mender.mend(request).then(
    (value) => [value, undefined] as const,
    (error: unknown) => [undefined, error] as const,
  )
  const text = readFileSync(transcript, 'utf8')
  return {
    outcome,
    fault,
    server,
    text,
    lines: text.trimEnd().split('\n').map((line) => JSON.parse(line)),
    sent: server.received.map(({ body }) => JSON.stringify(body?.messages)).join('\n'),
    spentNanoUsd: budget.spent().nanoUsd,
    seconds: (performance.now() - started) / 1000,
  }
}

function treeOf(files: Readonly<Record<string, string>>): Tree {
  const bytes = new Map(Object.entries(files).map(([path, text]) => [path, encodeUtf8(text)]))
  return {
    commit: 'c'.repeat(40),
    entries: async () =>
      [...bytes].map(([path, content]) => ({ path, mode: '100644', blob: sha256Hex(content), size: content.length })),
    submodules: async () => [],
    read: async (path) => bytes.get(path),
    readAll: async (paths) => new Map(paths.filter((path) => bytes.has(path)).map((path) => [path, bytes.get(path)!])),
  }
}

const grader = await graderFiles()
let calls = 0

/** A reply that calls one tool. */
export function call(name: string, given: JsonObject | string): ServerAnswer {
  return { kind: 'reply', toolCalls: [toolCall(name, given)] }
}

export function toolCall(name: string, given: JsonObject | string) {
  return { id: `call_${calls++}`, name, arguments: typeof given === 'string' ? given : JSON.stringify(given) }
}

/** The replies in their order, the last one again and again. */
export function script(...answers: readonly ServerAnswer[]): ModelServerOptions['answer'] {
  return (_, index) => answers[Math.min(index, answers.length - 1)]!
}
