import process from 'node:process'

export interface SignalWatch {
  readonly signal: AbortSignal
  /** Why standard output or standard error can no longer be written. */
  broken(): NodeJS.ErrnoException | undefined
  dispose(): void
}

const names = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const

/** The first signal asks everything to stop and clean up; the second one leaves at once. */
export function watchSignals(): SignalWatch {
  const controller = new AbortController()
  let broken: NodeJS.ErrnoException | undefined
  const onSignal = (): void => {
    if (controller.signal.aborted) process.exit(130)
    process.stderr.write('stopping; press again to leave at once\n')
    controller.abort()
  }
  // a reader that went away, such as head, or a full disk: nothing more can be said, so stop as for a signal
  const onBroken = (error: NodeJS.ErrnoException): void => {
    broken ??= error
    controller.abort()
  }
  for (const name of names) process.on(name, onSignal)
  process.stdout.on('error', onBroken)
  process.stderr.on('error', onBroken)
  return {
    signal: controller.signal,
    broken: () => broken,
    dispose() {
      for (const name of names) process.off(name, onSignal)
    },
  }
}
