import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type ChatRequest, protocolError } from './chat-request.ts'
import { chatCompletion, errorAnswer, type ServerAnswer } from './server-answer.ts'

export interface ModelServerOptions {
  /** The key that it asks for; absent = none. */
  readonly key?: string | undefined
  /** The models that it has (default `model`); a call of another is answered as unknown. */
  readonly models?: readonly string[] | undefined
  /** What it does with the call of this number, from 0; calls that break the protocol, and wrong keys, are not counted. */
  answer(request: ChatRequest, index: number): ServerAnswer
}

export interface ReceivedRequest {
  readonly path: string
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  /** The parsed body; undefined where there is none, or no JSON. */
  readonly body: ChatRequest | undefined
}

/** An OpenAI-compatible endpoint on the loopback address. */
export interface ModelServer extends AsyncDisposable {
  /** The base URL, ending in `/v1`. */
  readonly url: string
  /** Everything that arrived, in order. */
  readonly received: readonly ReceivedRequest[]
}

/** Speaks chat completions and the list of models as the real one does, streaming apart, and fails as it is told. */
export async function startModelServer(options: ModelServerOptions): Promise<ModelServer> {
  const received: ReceivedRequest[] = []
  let calls = 0
  const answerOf = (request: ReceivedRequest): ServerAnswer => {
    const { models = ['model'], key } = options
    if (key !== undefined && request.headers.authorization !== `Bearer ${key}`)
      return errorAnswer(401, 'Incorrect API key provided.', { code: 'invalid_api_key' })
    if (request.path === '/v1/models')
      return { kind: 'response', body: { object: 'list', data: models.map((id) => ({ id, object: 'model' })) } }
    if (request.path !== '/v1/chat/completions')
      return { kind: 'response', status: 404, headers: { 'content-type': 'text/plain' }, body: '404 page not found' }
    const wrong = protocolError(request.body)
    if (wrong !== undefined) return errorAnswer(400, wrong)
    if (!models.includes(request.body!.model))
      return errorAnswer(404, `The model \`${request.body!.model}\` does not exist.`, { code: 'model_not_found' })
    return options.answer(request.body!, calls++)
  }
  const server = createServer(async (incoming, response) => {
    incoming.on('error', () => {})
    const request = await readRequest(incoming)
    received.push(request)
    send(response, answerOf(request), request.body)
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    received,
    [Symbol.asyncDispose]: () =>
      new Promise((done) => {
        server.close(() => done())
        server.closeAllConnections()
      }),
  }
}

async function readRequest(incoming: IncomingMessage): Promise<ReceivedRequest> {
  const chunks: Buffer[] = []
  for await (const chunk of incoming) chunks.push(chunk)
  const text = Buffer.concat(chunks).toString()
  return { path: incoming.url ?? '', headers: incoming.headers, body: parseBody(text) }
}

function parseBody(text: string): ChatRequest | undefined {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function send(response: ServerResponse, answer: ServerAnswer, request: ChatRequest | undefined): void {
  if (answer.kind === 'response') {
    const { status = 200, headers = {}, body } = answer
    response.writeHead(status, { 'content-type': 'application/json', ...headers })
    response.end(typeof body === 'string' ? body : JSON.stringify(body))
    return
  }
  const text = JSON.stringify(chatCompletion(request!, answer.kind === 'reply' ? answer : {}))
  if (answer.kind === 'reply' || answer.after !== 'nothing')
    response.writeHead(200, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) })
  if (answer.kind === 'reply') {
    response.end(text)
    return
  }
  if (answer.after === 'headers') response.flushHeaders()
  const cut = () => answer.kind === 'cut' && response.socket?.destroy()
  // what was written first has to arrive before the connection ends
  if (answer.after === 'half') response.write(text.slice(0, text.length / 2), () => setTimeout(cut, 20))
  else setTimeout(cut, answer.after === 'headers' ? 20 : 0)
}
