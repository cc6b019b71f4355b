import { userError } from '@r2e/spec'

/** What a trainer wants of one trial of the Harbor runner (its `result.json`). */
export interface HarborResult {
  /** Name of the task; `path` is unique in a job, names need not be. */
  readonly task: string
  readonly path: string | undefined
  /** Name of the dataset. */
  readonly source: string | undefined
  /** `rewards.reward`; 0 where the trial has none. */
  readonly reward: number
  readonly rewards: Readonly<Record<string, number>>
  /** There is a reward, and nothing but the agent's own end (time, budget, refusal) disturbed the trial. */
  readonly valid: boolean
  /** An exception that is not of the agent's making: the reward measures nothing. */
  readonly error: HarborError | undefined
  /** The agent ran out of time or budget, or refused; its reward counts. */
  readonly agentEnd: HarborError | undefined
  /** Seconds of the phases that have both times. */
  readonly seconds: Readonly<Record<'environment' | 'setup' | 'agent' | 'verifier', number | undefined>>
}

export interface HarborError {
  readonly type: string
  readonly message: string
}

const AGENT_ENDS = new Set([
  'AgentTimeoutError',
  'AgentSafetyRefusalError',
  'BudgetExceededError',
  'ContentPolicyViolationError',
  'ContextLengthExceededError',
  'ContextWindowExceededError',
  'OutputLengthExceededError',
  'OutputTokenExceededError',
])

/** Reads the parsed `result.json` of a trial, with steps or without. Throws a user fault where it is something else. */
export function readHarborResult(json: unknown): HarborResult {
  const trial = asObject(json)
  const task = trial && asText(trial.task_name)
  if (!trial || task === undefined)
    throw userError('not_a_harbor_result', 'this JSON is no trial result of Harbor: it has no task_name', {
      fix: "Give the result.json of a trial's folder, not that of the job.",
    })
  const rewards = numbersOf(asObject(asObject(trial.verifier_result)?.rewards))
  const steps = Array.isArray(trial.step_results) ? trial.step_results.map(asObject) : []
  const errors = [trial, ...steps].flatMap((part) => errorOf(asObject(part?.exception_info)) ?? [])
  const error = errors.find(({ type }) => !AGENT_ENDS.has(type))
  return {
    task,
    path: asText(asObject(trial.task_id)?.path),
    source: asText(trial.source),
    reward: rewards.reward ?? 0,
    rewards,
    valid: error === undefined && rewards.reward !== undefined,
    error,
    agentEnd: errors.find(({ type }) => AGENT_ENDS.has(type)),
    seconds: {
      environment: secondsOf(trial.environment_setup),
      setup: secondsOf(trial.agent_setup),
      agent: secondsOf(trial.agent_execution),
      verifier: secondsOf(trial.verifier),
    },
  }
}

type Fields = Readonly<Record<string, unknown>>

function asObject(value: unknown): Fields | undefined {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : undefined
}

function asText(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined
}

function numbersOf(fields: Fields | undefined): Record<string, number> {
  return Object.fromEntries(
    Object.entries(fields ?? {}).filter((entry): entry is [string, number] => Number.isFinite(entry[1])),
  )
}

function errorOf(info: Fields | undefined): HarborError | undefined {
  if (!info) return undefined
  return { type: asText(info.exception_type) ?? 'Exception', message: asText(info.exception_message) ?? '' }
}

function secondsOf(phase: unknown): number | undefined {
  const { started_at, finished_at } = asObject(phase) ?? {}
  const milliseconds = Date.parse(String(finished_at)) - Date.parse(String(started_at))
  return Number.isFinite(milliseconds) ? milliseconds / 1000 : undefined
}
