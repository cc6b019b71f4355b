import type { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { createFrames } from './frames.ts'

/**
 * The first process of a sandbox, a dead man's switch: it reads requests from its owner and ends, and with it the
 * container, when the owner is gone. It uses builtins of the shell alone, so that it works when no process can be
 * started any more. `kill` ends every process but itself and the container's init in one step of the kernel, which no
 * fork bomb outruns. Each answer carries the number of kills for want of memory (cgroup v2, else v1).
 */
const SCRIPT = `while read -r id what; do
  if [ "$what" = kill ]; then kill -9 -1; fi
  kills=0
  for file in /sys/fs/cgroup/memory.events /sys/fs/cgroup/memory/memory.oom_control; do
    if [ -r "$file" ]; then
      while read -r key value; do if [ "$key" = oom_kill ]; then kills=$value; fi; done <"$file"
    fi
  done
  echo "$id $kills"
done`

export const HOLDER_COMMAND: readonly string[] = ['/bin/sh', '-c', SCRIPT]

const FLOOD_LIMIT = 64 * 1024

export interface Holder {
  /** Answers how often the kernel killed for want of memory so far, or undefined where no answer comes. */
  ask(what: 'look' | 'kill', limitMs: number): Promise<number | undefined>
  /** Settles when the holder is gone, and the container with it. */
  readonly gone: Promise<void>
  readonly alive: boolean
  close(): void
}

export function createHolder(stream: Duplex): Holder {
  const waiting = new Map<string, (kills: number | undefined) => void>()
  let count = 0
  let alive = true
  let line = ''
  let unasked = 0
  const frames = createFrames((_, bytes) => {
    // Code that runs as root may write here too: a flood ends its sandbox, not its owner.
    unasked += bytes.length
    if (unasked > FLOOD_LIMIT) return void stream.destroy()
    for (const char of Buffer.from(bytes).toString('latin1')) {
      if (char !== '\n') line = (line + char).slice(0, 100)
      else {
        answer(line)
        line = ''
      }
    }
  })

  function answer(text: string): void {
    const [id = '', kills] = text.split(' ')
    waiting.get(id)?.(Number(kills) || 0)
  }

  const gone = new Promise<void>((resolve) => {
    stream.on('close', () => {
      alive = false
      for (const settle of [...waiting.values()]) settle(undefined)
      resolve()
    })
  })
  stream.on('data', frames)
  // A forgotten sandbox keeps no program from ending, and goes with it. Streams over SSH are no sockets.
  ;(stream as Partial<Socket>).unref?.()
  stream.on('error', () => stream.destroy())
  stream.on('end', () => stream.destroy())

  return {
    gone,
    get alive() {
      return alive
    },
    ask(what, limitMs) {
      if (!alive) return Promise.resolve(undefined)
      const id = String(++count)
      unasked = 0
      return new Promise((resolve) => {
        const settle = (kills: number | undefined): void => {
          clearTimeout(timer)
          waiting.delete(id)
          resolve(kills)
        }
        const timer = setTimeout(settle, limitMs, undefined)
        waiting.set(id, settle)
        stream.write(`${id} ${what}\n`)
      })
    },
    close: () => stream.destroy(),
  }
}
