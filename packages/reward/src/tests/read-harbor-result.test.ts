import { expect, it } from 'vitest'
import { readHarborResult } from './read-harbor-result.ts'

const trial = {
  task_name: 'acme/shared',
  task_id: { path: '/data/tasks/shared' },
  source: 'tasks',
  verifier_result: { rewards: { reward: 1, f2p_rate: 1 } },
  exception_info: null,
  environment_setup: { started_at: '2026-01-01T00:00:00Z', finished_at: '2026-01-01T00:00:01.500Z' },
  agent_execution: { started_at: '2026-01-01T00:00:02Z', finished_at: null },
}
const failure = (exception_type: string) => ({ exception_type, exception_message: 'm', exception_traceback: 't' })

it('reads a finished trial', () => {
  expect(readHarborResult(trial)).toEqual({
    task: 'acme/shared',
    path: '/data/tasks/shared',
    source: 'tasks',
    reward: 1,
    rewards: { reward: 1, f2p_rate: 1 },
    valid: true,
    error: undefined,
    agentEnd: undefined,
    seconds: { environment: 1.5, setup: undefined, agent: undefined, verifier: undefined },
  })
})

it('keeps a reward beside the end of the agent, and not beside another error', () => {
  expect(readHarborResult({ ...trial, exception_info: failure('AgentTimeoutError') })).toMatchObject({
    reward: 1,
    valid: true,
    agentEnd: { type: 'AgentTimeoutError' },
  })
  expect(readHarborResult({ ...trial, exception_info: failure('RuntimeError') })).toMatchObject({
    valid: false,
    error: { type: 'RuntimeError', message: 'm' },
  })
})

it('reads a trial without a reward as 0 that measures nothing', () => {
  for (const verifier_result of [
    null,
    { rewards: {} },
    { rewards: null },
    { rewards: { other: 1 } },
    { rewards: { reward: 'x' } },
  ])
    expect(readHarborResult({ ...trial, verifier_result })).toMatchObject({ reward: 0, valid: false })
})

it('finds the errors of steps', () => {
  const step_results = [
    { step_name: 'a', exception_info: null },
    { step_name: 'b', exception_info: failure('VerifierTimeoutError') },
  ]
  expect(readHarborResult({ ...trial, step_results })).toMatchObject({
    valid: false,
    error: { type: 'VerifierTimeoutError' },
  })
})

it('refuses what is no trial result', () => {
  for (const json of [null, [], 'x', {}, { stats: {} }])
    expect(() => readHarborResult(json)).toThrow(/no trial result of Harbor/)
})
