import type { JsonObject } from './json.ts'

/**
 * Answers conversations. Adapters reach a model; layers (cache, budget, retries, fallback) are functions from one model to
 * another. Faults that time may cure are thrown as R2eError of fault `transient`, with `details.retryAfterMs` where the
 * endpoint says when to come again; `details.billed` is false where a call that failed certainly cost nothing.
 */
export interface LanguageModel {
  /** `provider/model`, for people and ledgers. A chain is named after its first. */
  readonly name: string
  /** All that may change the reply to an equal request, and no secret: part of every cache key. */
  readonly identity: JsonObject
  /** Asks for a few tokens, and says what to do where none come. Rejects only where the signal is aborted. */
  probe(signal: AbortSignal): Promise<ModelProbe>
  /**
   * @throws R2eError of fault `user`: `model_unreachable` (in `probe` alone, else transient), `model_key_refused`,
   * `unknown_model`, `bad_endpoint`, `model_quota_exhausted`, `budget_exhausted`, `unknown_price`; transient: `model_busy`,
   * `model_failed`, `model_timeout`, `model_unreachable`, `model_connection_lost`, `bad_model_reply`; fault `bug`:
   * `model_context_exceeded`, `model_request_refused`. An aborted call throws the reason of its signal.
   */
  complete(request: ModelRequest, call: ModelCall): Promise<ModelReply>
}

export type ModelLayer = (inner: LanguageModel) => LanguageModel

export interface ModelProbe {
  readonly ok: boolean
  /** The code of the fault; absent where it answers. */
  readonly code?: string | undefined
  /** One line: what answered, or what is wrong and where. */
  readonly detail: string
  readonly fix?: string | undefined
}

/** What is asked: JSON, so that its digest names its reply. */
export interface ModelRequest {
  readonly messages: readonly ModelMessage[]
  readonly tools?: readonly ModelTool[] | undefined
  /** `required`: the model must call one of the tools (default `auto`). */
  readonly toolChoice?: 'auto' | 'required' | undefined
  /** The most that is generated, thinking included: a budget reserves it. */
  readonly maxOutputTokens: number
  readonly temperature?: number | undefined
  readonly seed?: number | undefined
  /** Tells requests apart that are equal on purpose, as a second try for another reply; never sent. */
  readonly sample?: number | undefined
}

export type ModelMessage =
  | { readonly role: 'system' | 'user'; readonly text: string }
  | { readonly role: 'assistant'; readonly text: string; readonly toolCalls?: readonly ToolCall[] | undefined }
  /** What a tool answered. */
  | { readonly role: 'tool'; readonly callId: string; readonly text: string }

export interface ModelTool {
  readonly name: string
  readonly description: string
  /** JSON Schema of the arguments. */
  readonly parameters: JsonObject
}

export interface ToolCall {
  readonly id: string
  readonly name: string
  /** As the model wrote it: meant to be JSON, and not always so. */
  readonly arguments: string
  /** What the endpoint attached and wants back with the conversation. */
  readonly extra?: JsonObject | undefined
}

/** Which part of a run a call is for. */
export type ModelPhase = 'probe' | 'bootstrap' | 'instructions' | 'judge' | 'synthesis'

/** About a call, and no part of what is asked. */
export interface ModelCall {
  readonly phase: ModelPhase
  /** Id of the candidate or task that pays; absent = the run as a whole. */
  readonly task?: string | undefined
  /** A further budget inside that of the run, as of one agent. */
  readonly within?: Budget | undefined
  readonly signal: AbortSignal
}

export interface ModelReply {
  /** Empty where the model only calls tools. */
  readonly text: string
  readonly toolCalls: readonly ToolCall[]
  readonly end: 'stop' | 'length' | 'tool_calls' | 'content_filter'
  /** Absent where the endpoint does not say. */
  readonly usage?: ModelUsage | undefined
  /** `provider/model` of the one that answered: after a fallback not the one that was asked first. */
  readonly model: string
  /** True where no model was called for it. */
  readonly cached: boolean
  /** What this call cost, in 10⁻⁹ USD; absent = unknown, which is not 0. */
  readonly nanoUsd?: number | undefined
  /** What a cached reply cost when it was made; absent = unknown. */
  readonly paidNanoUsd?: number | undefined
}

/** Tokens, as billed: thinking counts as output. */
export interface ModelUsage {
  readonly inputTokens: number
  readonly outputTokens: number
}

/** In 10⁻⁶ USD for a million tokens (which is 10⁻¹² USD for one). */
export interface ModelPrice {
  readonly input: number
  readonly output: number
}

/** A cap on money and tokens of many calls, held by reserving the worst case of a call before it is made. */
export interface Budget {
  readonly limit: SpendLimit
  /**
   * Holds `worst` for a call; waits while calls in flight may leave enough of theirs.
   * @throws R2eError `budget_exhausted`, `unknown_price` (fault user)
   */
  reserve(worst: Spend, purpose: SpendPurpose, signal: AbortSignal): Promise<Reservation>
  /** Everything spent or held so far, or that of one phase, task or model. */
  spent(of?: Partial<SpendPurpose>): SpendTotal
}

export interface Reservation {
  /** Replaces the worst case by what was spent, once. `unknown`: the worst case stays, as spent. */
  settle(spend: Spend | 'unknown'): Promise<void>
}

/** 0 = no limit. */
export interface SpendLimit {
  readonly nanoUsd: number
  /** Input and output together. */
  readonly tokens: number
}

export interface Spend extends ModelUsage {
  /** Absent = the price is unknown. */
  readonly nanoUsd?: number | undefined
}

export interface SpendPurpose {
  readonly phase: ModelPhase
  readonly task?: string | undefined
  /** `provider/model` */
  readonly model: string
}

export interface SpendTotal extends ModelUsage {
  readonly calls: number
  /** Of the calls whose price is known. */
  readonly nanoUsd: number
  /** Calls whose price is unknown: with any, `nanoUsd` is a lower bound. */
  readonly unpriced: number
  /** Calls counted with their worst case: in flight, or failed or killed before their usage was known. */
  readonly unsettled: number
}

/** A line of the ledger. A call without `settle` is spent in full: it was in flight when its process ended. */
export type SpendEntry =
  | ({ readonly type: 'reserve'; readonly call: number; readonly worst: Spend } & SpendPurpose)
  | { readonly type: 'settle'; readonly call: number; readonly spend: Spend | 'unknown' }
