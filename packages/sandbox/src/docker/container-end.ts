import { once } from 'node:events'
import type { Readable } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import { R2eError } from '@r2e/spec'
import type { Container } from './container.ts'

interface EngineEvent {
  readonly Action?: string
  readonly timeNano?: number
}

/** The kernel kills, then the container ends: this close together they belong together. */
const TOGETHER_NANO = 2e9
const AHEAD_SECONDS = 0.3
const STREAM_LIMIT_MS = 3_000

/**
 * Why a container ended that its owner did not end: the kernel killed it for want of memory, or code inside ended it;
 * both are facts about that code. Throws where somebody removed it from outside.
 */
export async function causeOfEnd(container: Container): Promise<'memory' | 'inside'> {
  const events = await eventsOf(container)
  const end = events.find(({ Action }) => Action === 'die')?.timeNano ?? Number.POSITIVE_INFINITY
  if (events.some(({ Action, timeNano = 0 }) => Action === 'oom' && timeNano > end - TOGETHER_NANO)) return 'memory'
  if (!events.some(({ Action }) => Action === 'kill')) return 'inside'
  throw lost(container, 'was removed from outside while it ran')
}

export function lost({ id }: Container, how: string): R2eError {
  return new R2eError('sandbox_lost', 'transient', `the sandbox ${id.slice(0, 12)} ${how}`)
}

async function eventsOf({ engine, id, opened }: Container): Promise<EngineEvent[]> {
  const text = await engine.call('read the events of a container', async (docker) => {
    const now = Date.now() / 1000
    const stream = (await docker.getEvents({
      since: Math.floor(opened / 1000) - 60,
      until: Number((now + AHEAD_SECONDS).toFixed(3)),
      filters: { container: [id] },
    })) as Readable
    let all = ''
    stream.on('data', (chunk) => {
      all += chunk
    })
    // An engine whose clock is behind would keep the stream open.
    await Promise.race([once(stream, 'end'), sleep(STREAM_LIMIT_MS, undefined, { ref: false })])
    stream.destroy()
    return all
  })
  return text
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line) as EngineEvent)
}
