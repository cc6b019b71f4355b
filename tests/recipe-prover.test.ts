import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createRecipeBuilder } from '../packages/bootstrap/src/index.ts'
import { createRecipeProver } from '../packages/engine/src/index.ts'
import { languagePacks } from '../packages/languages/src/index.ts'
import { createLocalSandbox } from '../packages/sandbox/src/local/index.ts'
import { createGitSource } from '../packages/source/src/git/index.ts'
import type { Recipe, Repository, Tree } from '../packages/spec/src/index.ts'
import { buildRepository } from '../packages/testing/src/index.ts'
import { SANDBOX, whyNoLocalSandbox } from './__fixtures__/local-sandbox.ts'
import { tinyHistory } from './__fixtures__/tiny-history.ts'

const reason = await whyNoLocalSandbox()
const cwd = mkdtempSync(join(tmpdir(), 'r2e-prover-'))
const stateDirectory = join(cwd, 'sandbox')
const provider = createLocalSandbox({ stateDirectory, environment: process.env })
const prover = createRecipeProver({ provider, sandbox: SANDBOX, languages: languagePacks, run: 'prover-test' })
const { signal } = new AbortController()
let repository: Repository
let tree: Tree
let recipe: Recipe

beforeAll(async () => {
  await buildRepository(join(cwd, 'tally'), tinyHistory.slice(0, 2))
  const spec = { url: join(cwd, 'tally'), ref: 'HEAD', access: 'auto' } as const
  repository = await createGitSource({ environment: process.env }).open(spec, { cacheDirectory: join(cwd, 'cache') })
  tree = await repository.tree(repository.head)
  const options = { setup: [], testCommand: ['python3', '-m', 'unittest'] }
  const [inferred] = await createRecipeBuilder(languagePacks).recipes({ tree, repository, options })
  // The tests need nothing, and so the builds are quick.
  recipe = { ...inferred!, dependencies: [], project: [], env: {} }
})
afterAll(async () => {
  await repository[Symbol.asyncDispose]()
  rmSync(cwd, { recursive: true, force: true })
})

const images = () => readdirSync(join(stateDirectory, 'i'))

describe.skipIf(reason !== undefined)('a recipe', () => {
  it('is proven by its tests in fresh sandboxes; what was built is kept until it is removed [I8]', async () => {
    const proof = await prover.prove(recipe, { tree, repository, runs: 2, fresh: false, signal })
    if (proof.kind !== 'proof') throw new Error(JSON.stringify(proof))
    expect(
      proof.reports.map(({ tests }) => Object.values(tests).filter((status) => status === 'PASSED').length),
    ).toEqual([5, 5])
    expect(proof.dockerfile).toMatch(/^FROM /)
    expect(await provider.has(proof.image)).toBe(true)
    await provider.remove(proof.image)
    expect(await provider.has(proof.image)).toBe(false)
  }, 120_000)

  it('is built anew where that is asked for, whatever earlier builds left [I8]', async () => {
    const stamped = {
      ...recipe,
      dependencies: [...recipe.dependencies, { run: 'date +%s%N > /stamp', network: false }],
    }
    const prove = (fresh: boolean) => prover.prove(stamped, { tree, repository, runs: 1, fresh, signal })
    const stampOf = async (fresh: boolean) => {
      const proof = await prove(fresh)
      if (proof.kind !== 'proof') throw new Error(JSON.stringify(proof))
      await using opened = await provider.open({
        image: proof.image,
        run: 'prover-test',
        limits: { cpus: 1, memoryMb: 512, pids: 100 },
      })
      return String(Buffer.from((await opened.read('/stamp'))!))
    }
    const stamps = [await stampOf(false), await stampOf(false), await stampOf(true)]
    expect(stamps[1]).toBe(stamps[0])
    expect(stamps[2]).not.toBe(stamps[0])
  }, 120_000)

  it('that does not build or shows no test is an answer with its reason, and leaves no image [I8]', async () => {
    const before = images()
    const broken: readonly [Partial<Recipe>, object][] = [
      [
        { dependencies: [{ run: 'echo trying; exit 3', network: false }] },
        { reason: 'environment_failed', step: 'RUN echo trying; exit 3', beforeTree: true, log: /trying/ },
      ],
      [
        { project: [{ run: 'exit 4', network: false }] },
        { reason: 'environment_failed', step: 'RUN exit 4', beforeTree: false },
      ],
      [{ testCommand: ['true'] }, { reason: 'no_tests_seen' }],
      [{ testCommand: ['/nowhere/python3', '-m', 'unittest'] }, { reason: 'no_tests_seen' }],
      // What a shell exports is gone with it: only what the recipe says as data reaches the tests.
      [
        {
          setup: [{ run: 'export TALLY=1', network: false }],
          testCommand: ['sh', '-c', 'test -n "$TALLY" && exec python3 -m unittest "$@"', 'sh'],
        },
        { reason: 'no_tests_seen' },
      ],
      [{ runner: 'nose' }, { reason: 'runner_unknown' }],
      [{ baseImage: 'no image' }, { reason: 'environment_failed', detail: /cannot stand in a Dockerfile/ }],
    ]
    for (const [change, expected] of broken) {
      const failure = await prover.prove({ ...recipe, ...change }, { tree, repository, runs: 2, fresh: false, signal })
      const patterns = Object.entries(expected).map(([key, value]) => [
        key,
        value instanceof RegExp ? expect.stringMatching(value) : value,
      ])
      expect(failure).toMatchObject({ kind: 'failure', ...Object.fromEntries(patterns) })
    }
    expect(images()).toEqual(before)
  }, 120_000)

  it('ends with its signal', async () => {
    const stop = AbortSignal.abort(new Error('enough'))
    const proving = prover.prove(recipe, { tree, repository, runs: 1, fresh: false, signal: stop })
    await expect(proving).rejects.toThrow('enough')
  })
})
