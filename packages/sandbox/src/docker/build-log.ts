import { decodeUtf8 } from '@r2e/spec'
import { createOutputWindow } from '../output-window.ts'

/** The output of a build while it runs. */
export interface BuildLog {
  feed(chunk: Buffer): void
  add(text: string): void
  /** The instruction under way, empty before the first. */
  readonly step: string
  /** Container of the step under way. */
  readonly container: string | undefined
  /** What ended the build, undefined where nothing did. */
  readonly error: string | undefined
  /** Head and tail of the output. */
  text(): string
}

/** The engine colours what a step writes to its standard error. */
const COLOUR = /\x1b\[(?:91|0)m/g
const LOG_LIMIT = 128 * 1024
/** One message of the engine; longer ones are cut off, not gathered. */
const MESSAGE_LIMIT = 4 * 2 ** 20

export function createBuildLog(onOutput?: (text: string) => void): BuildLog {
  const kept = createOutputWindow(LOG_LIMIT)
  let pending: Buffer[] = []
  let pendingLength = 0
  let step = ''
  let container: string | undefined
  let error: string | undefined

  function add(text: string): void {
    kept.push(Buffer.from(text))
    onOutput?.(text)
  }

  function take(line: string): void {
    const message = parse(line)
    if (message.stream !== undefined) {
      step = /^Step \d+\/\d+ : ([^\n]*)/.exec(message.stream)?.[1] ?? step
      container = /^ ---> Running in ([0-9a-f]+)/.exec(message.stream)?.[1] ?? container
      add(message.stream.replaceAll(COLOUR, ''))
    } else if (message.error !== undefined) {
      error = message.error
      add(`${message.error}\n`)
    } else if (message.status !== undefined && message.progress === undefined) add(`${message.status}\n`)
  }

  return {
    add,
    feed(chunk) {
      let rest = chunk
      for (let end = rest.indexOf(10); end >= 0; end = rest.indexOf(10)) {
        take(decodeUtf8(Buffer.concat([...pending, rest.subarray(0, end)])))
        pending = []
        pendingLength = 0
        rest = rest.subarray(end + 1)
      }
      pendingLength += rest.length
      if (rest.length > 0 && pendingLength <= MESSAGE_LIMIT) pending.push(rest)
    },
    get step() {
      return step
    },
    get container() {
      return container
    },
    get error() {
      return error
    },
    text: () => decodeUtf8(kept.bytes()),
  }
}

interface Message {
  readonly stream?: string
  readonly status?: string
  readonly progress?: string
  readonly error?: string
}

function parse(line: string): Message {
  try {
    return JSON.parse(line) as Message
  } catch {
    return {}
  }
}
