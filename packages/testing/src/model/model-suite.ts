import assert from 'node:assert/strict'
import { isR2eError, type LanguageModel, type ModelCall, type ModelReply, type ModelRequest } from '@r2e/spec'
import type { FakeReply } from './fake-model.ts'
import type { ModelServerOptions } from './model-server.ts'
import { errorAnswer } from './server-answer.ts'

/** One fact that holds for every model: `for (const check of modelSuite(…)) it(check.title, check.run)`. */
export interface ModelCheck {
  readonly title: string
  run(): Promise<void>
}

/** A request and what the model has to answer. */
export interface ModelExchange {
  readonly request: ModelRequest
  readonly reply: FakeReply
}

export interface OpenedModel extends AsyncDisposable {
  readonly model: LanguageModel
}

export interface ModelSuiteOptions {
  /** A model that answers these requests so, its probe, and no other. */
  open(exchanges: readonly ModelExchange[]): Promise<OpenedModel>
}

/** The conformance suite of LanguageModel. */
export function modelSuite({ open }: ModelSuiteOptions): readonly ModelCheck[] {
  return checks.map(({ title, run }) => ({
    title,
    async run() {
      await using opened = await open(EXCHANGES)
      await run(opened.model)
    },
  }))
}

/** A script for `startModelServer` that answers the exchanges of the suite. */
export function answerExchanges(exchanges: readonly ModelExchange[]): ModelServerOptions['answer'] {
  return ({ messages }) => {
    const asked = messages.at(-1)?.content
    if (asked === UNKNOWN) return errorAnswer(400, 'there is no reply to this')
    const { text, toolCalls, end, usage } =
      exchanges.find(({ request }) => request.messages.at(-1)?.text === asked)?.reply ?? {}
    const counted = usage && { prompt_tokens: usage.inputTokens, completion_tokens: usage.outputTokens }
    return { kind: 'reply', text, toolCalls, finish: end, ...(counted && { usage: counted }) }
  }
}

const UNKNOWN = 'What nobody was asked before'
const usage = { inputTokens: 12, outputTokens: 5 }
const user = (text: string) => ({ role: 'user', text }) as const
const runTool = { name: 'run', description: 'Runs a command.', parameters: { type: 'object', properties: {} } }

const plain: ModelExchange = {
  request: {
    messages: [{ role: 'system', text: 'Be brief.' }, user('Greet — in Greek')],
    maxOutputTokens: 50,
    temperature: 0.5,
  },
  reply: { text: 'γειά\u2028"\\ 🙂', end: 'stop', usage },
}
const calling: ModelExchange = {
  request: { messages: [user('Run the tests')], tools: [runTool], toolChoice: 'required', maxOutputTokens: 50 },
  reply: {
    toolCalls: [
      { id: 'call_a', name: 'run', arguments: '{"argv": ["make", "test"]}' },
      { id: 'call_b', name: 'run', arguments: '{"argv": [' },
    ],
    end: 'tool_calls',
    usage,
  },
}
const answered: ModelExchange = {
  request: {
    messages: [
      ...calling.request.messages,
      { role: 'assistant', text: '', toolCalls: calling.reply.toolCalls },
      { role: 'tool', callId: 'call_a', text: 'ok' },
      { role: 'tool', callId: 'call_b', text: 'the arguments are no JSON' },
    ],
    tools: [runTool],
    maxOutputTokens: 50,
  },
  reply: { text: 'All pass.', end: 'stop', usage },
}
const cut: ModelExchange = {
  request: { messages: [user('Tell everything')], maxOutputTokens: 5 },
  reply: { text: 'Once upon a', end: 'length', usage },
}
const empty: ModelExchange = {
  request: { messages: [user('Say nothing')], maxOutputTokens: 50 },
  reply: { text: '', end: 'stop', usage },
}
const EXCHANGES = [plain, calling, answered, cut, empty]

const call = (signal = new AbortController().signal): ModelCall => ({ phase: 'synthesis', signal })

const answers = (title: string, { request, reply }: ModelExchange) => ({
  title,
  async run(model: LanguageModel) {
    const { text, toolCalls, end, usage } = await model.complete(request, call())
    assert.deepEqual({ text, toolCalls, end, usage }, { text: '', toolCalls: [], ...reply })
  },
})

const checks = [
  answers('answers in text and counts its tokens', plain),
  answers('calls tools with arguments as the model wrote them, also where they are no JSON', calling),
  answers('goes on after the answers of tools', answered),
  answers('says that a reply was cut', cut),
  answers('takes an empty reply for a reply [L29]', empty),
  {
    title: 'says who answered, in one form with its own name',
    async run(model: LanguageModel) {
      assert.match(model.name, /^[^/]+\/.+/)
      const { model: who } = await model.complete(plain.request, call())
      assert.equal(who, (await model.complete(empty.request, call())).model)
    },
  },
  {
    title: 'answers many calls at one time, each its own',
    async run(model: LanguageModel) {
      const wanted = [...EXCHANGES, ...EXCHANGES, ...EXCHANGES]
      const replies = await Promise.all(wanted.map(({ request }) => model.complete(request, call())))
      assert.deepEqual(
        replies.map(({ text }: ModelReply) => text),
        wanted.map(({ reply }) => reply.text ?? ''),
      )
    },
  },
  {
    title: 'does not answer a call that is aborted, and rejects with its reason',
    async run(model: LanguageModel) {
      const signal = AbortSignal.abort(new Error('enough'))
      await assert.rejects(model.complete(plain.request, call(signal)), /enough/)
      await assert.rejects(model.probe(signal), /enough/)
    },
  },
  {
    title: 'throws a fault that says what and where for a request without a reply',
    async run(model: LanguageModel) {
      const request = { messages: [user(UNKNOWN)], maxOutputTokens: 50 }
      await assert.rejects(model.complete(request, call()), (error) => isR2eError(error) && error.message.length > 20)
    },
  },
  {
    title: 'says that it answers',
    run: async (model: LanguageModel) => assert.equal((await model.probe(call().signal)).ok, true),
  },
  {
    title: 'has an identity that is JSON',
    run: async (model: LanguageModel) => assert.deepEqual(JSON.parse(JSON.stringify(model.identity)), model.identity),
  },
]
