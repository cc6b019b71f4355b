import { gzipSync } from 'node:zlib'
import { decodeUtf8, encodeUtf8, type FileEntry } from '@r2e/spec'
import { afterAll, describe, expect, it } from 'vitest'
import { RECIPE } from '../render/__fixtures__/task-input.ts'
import { renderDockerfile } from '../render/dockerfile.ts'
import { writeTar } from '../render/write-tar.ts'
import { removeSandboxes, sandboxes } from './__fixtures__/sandboxes.ts'
import { type RunTaskRequest, runTask } from './run-task.ts'

const reference = RECIPE.env.PATH!.slice(-7)
const recipe = {
  ...RECIPE,
  system: [],
  dependencies: [{ run: 'cat /r2e/requirements.txt > /seen', network: true }],
  env: { QUOTED: 'a "b" \\ $HOME $(id)', LONGER: `${reference}:/x` },
  files: [{ path: 'requirements.txt', text: 'data' }],
}
const TREE = writeTar([{ path: 'f.txt', mode: '100644', content: encodeUtf8('one\n') }])

function task(scripts: { readonly test: string; readonly solve?: string; readonly dockerfile?: string }): FileEntry[] {
  const file = (path: string, text: string): FileEntry => ({ path, mode: '100644', content: encodeUtf8(text) })
  return [
    file('environment/Dockerfile', scripts.dockerfile ?? renderDockerfile(recipe)),
    file('environment/deps/requirements.txt', 'data'),
    { path: 'environment/base.tar.gz', mode: '100644', content: gzipSync(TREE) },
    file('solution/solve.sh', scripts.solve ?? 'true\n'),
    file('tests/test.sh', scripts.test),
  ]
}

const REWARD = 'echo \'{"reward": 0.5}\' > /logs/verifier/reward.json\n'

afterAll(removeSandboxes)

for (const { provider, ok, detail } of await sandboxes()) {
  const run = (files: FileEntry[], changes: Partial<RunTaskRequest> = {}) =>
    runTask({
      provider,
      files,
      state: 'nop',
      run: 'run-task-test',
      limits: { cpus: 1, memoryMb: 512, pids: 256 },
      timeoutMs: 60_000,
      buildTimeoutMs: 120_000,
      ...changes,
    })

  describe.skipIf(!ok)(`runTask in the ${provider.name} sandbox (${detail})`, { timeout: 120_000 }, () => {
    it('answers plain JSON: reward, details, and how each part went', async () => {
      const test = `${REWARD}echo '{"status":"ok"}' > /logs/verifier/reward-details.json
        echo log > /logs/verifier/test-output.txt; echo out; echo err >&2; exit 3`
      const result = await run(task({ test }))
      expect(result).toEqual(JSON.parse(JSON.stringify(result)))
      expect(result).toMatchObject({
        outcome: 'graded',
        reward: 0.5,
        details: { status: 'ok' },
        log: 'log\n',
        verify: { exitCode: 3, output: 'out\nerr\n' },
      })
    })

    it('shows a task what the Dockerfile says, byte for byte', async () => {
      const test = `printf '%s|%s|%s|%s' "$QUOTED" "$LONGER" "$(cat /seen)" "$(git -C /app log --oneline | wc -l)"; ${REWARD}`
      const result = await run(task({ test }))
      if (result.outcome !== 'graded') throw new Error(result.log)
      expect(result.verify.output).toMatch(/^a "b" \\ \$HOME \$\(id\)\|\/[^|]*:\/x\|data\|1$/)
    })

    it('puts the solution in before the tests, and only for the oracle [W2]', async () => {
      const solve = 'ls -d /tests /solution > /app/f.txt 2>/dev/null; exit 7'
      const test = `ls -d /solution 2>/dev/null; cat /app/f.txt; ${REWARD}`
      const nop = await run(task({ test, solve }))
      expect(nop).toMatchObject({ verify: { output: 'one\n' }, solve: undefined })
      const oracle = await run(task({ test, solve }), { state: 'oracle' })
      expect(oracle).toMatchObject({
        reward: 0.5,
        solve: { exitCode: 7 },
        verify: { output: '/solution\n/solution\n' },
      })
    })

    it('starts every run from the same tree, without a network [W12 E2]', async () => {
      const test = `cat f.txt; echo two > f.txt; (echo > /dev/tcp/1.1.1.1/80) 2>/dev/null || echo offline; ${REWARD}`
      for (const _ of [1, 2])
        expect(await run(task({ test: `cd /app; ${test}` }))).toMatchObject({ verify: { output: 'one\noffline\n' } })
    })

    it('calls a missing or malformed reward no measurement [F9 H3]', async () => {
      for (const text of ['', '{"reward": {"a": 1}}', '[1]'])
        expect(await run(task({ test: `printf %s '${text}' > /logs/verifier/reward.json` }))).toMatchObject({
          outcome: 'infrastructure',
          reason: 'no_reward',
        })
    })

    it('calls a solution that does not end infrastructure, not a verdict [W11 H3]', async () => {
      const result = await run(task({ test: REWARD, solve: 'sleep 60' }), { state: 'oracle', timeoutMs: 500 })
      expect(result).toMatchObject({ outcome: 'infrastructure', reason: 'solve_timed_out' })
    })

    it('says which step of a build failed, and how', async () => {
      const dockerfile = renderDockerfile({ ...recipe, project: [{ run: 'echo why; exit 4', network: false }] })
      const result = await run(task({ test: REWARD, dockerfile }))
      expect(result).toMatchObject({ outcome: 'build_failed', reason: 'step_failed' })
      if (result.outcome === 'graded') throw new Error('graded')
      expect([result.detail, result.log].join('\n')).toMatch(/RUN echo why; exit 4.*why/s)
    })

    it('goes on after an optional step that failed', async () => {
      const project = [{ run: 'echo no; exit 4', network: false, optional: true }]
      const result = await run(task({ test: REWARD, dockerfile: renderDockerfile({ ...recipe, project }) }))
      expect(result).toMatchObject({ outcome: 'graded' })
    })

    it('keeps odd bytes of the tests from becoming an error [W6]', async () => {
      const test = `printf '\\377' > /logs/verifier/test-output.txt; printf '\\377'; ${REWARD}`
      const result = await run(task({ test }))
      expect(result).toMatchObject({ outcome: 'graded', log: decodeUtf8(Uint8Array.of(255)) })
    })
  })
}
