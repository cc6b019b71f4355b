import process from 'node:process'

export interface SignalWatch {
  readonly signal: AbortSignal
  dispose(): void
}

const names = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const

/** The first signal asks everything to stop and clean up; the second one leaves at once. */
export function watchSignals(): SignalWatch {
  const controller = new AbortController()
  const onSignal = (): void => {
    if (controller.signal.aborted) process.exit(130)
    process.stderr.write('stopping; press again to leave at once\n')
    controller.abort()
  }
  // a reader that went away, such as head: nothing more can be said, so stop as for a signal
  const onPipe = (error: NodeJS.ErrnoException): void => {
    if (error.code !== 'EPIPE') throw error
    controller.abort()
  }
  for (const name of names) process.on(name, onSignal)
  process.stdout.on('error', onPipe)
  process.stderr.on('error', onPipe)
  return {
    signal: controller.signal,
    dispose() {
      for (const name of names) process.off(name, onSignal)
    },
  }
}
