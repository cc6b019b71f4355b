import {
  isR2eError,
  type R2eError,
  type RepoSource,
  type RepoSpec,
  type Repository,
  type ResolvedRef,
  userError,
} from '@r2e/spec'
import type { EnvironmentPlace, PlaceOptions } from '../store/environment-place.ts'
import type { EnvironmentRecord } from '../store/environment-record.ts'
import { type AttemptsLog, openAttemptsLog } from './attempts-log.ts'
import type { BootstrapEvent } from './bootstrap-event.ts'
import { failureHints } from './failure-hints.ts'
import { recallEnvironment } from './recall-environment.ts'
import { saveEnvironment } from './save-environment.ts'
import { type MakingTools, type NoRecipe, tryRecipes } from './try-recipes.ts'

export interface MakeEnvironmentInput extends MakingTools {
  readonly source: RepoSource
  readonly spec: RepoSpec
  /** Folder for clones. */
  readonly cacheDirectory: string
  readonly place: PlaceOptions
  /** Throws where sandbox or model cannot work; called once, when the store has no answer and before anything runs. */
  readonly prepare?: (() => Promise<void>) | undefined
  /** Of everything, waiting for another process apart. */
  readonly maxSeconds: number
  readonly onProgress?: ((text: string) => void) | undefined
}

/**
 * A repository's commit and its proven environment. One that is in the store is answered without a clone, a sandbox or a
 * model; else recipes are tried in order until one works, then mended, and what works is built from nothing and run twice.
 * @throws R2eError `bootstrap_failed` (fault user) with the best hints as its fix; what source, sandbox and model throw
 */
export async function* makeEnvironment(input: MakeEnvironmentInput): AsyncGenerator<BootstrapEvent, EnvironmentRecord> {
  const { source, spec, store, sandbox, force } = input
  const started = performance.now()
  const opening = { cacheDirectory: input.cacheDirectory, signal: input.signal, onProgress: input.onProgress }
  const ended = (record: EnvironmentRecord, cached: boolean): BootstrapEvent => ({
    type: 'bootstrap-end',
    cached,
    seconds: Math.round((performance.now() - started) / 100) / 10,
    directory: store.pathOf(place),
    record,
  })
  await using opened = lazily(() => source.open(spec, opening))
  const resolved = await source.resolve?.(spec, opening)
  if (!resolved) await input.prepare?.()
  const { owner, name, url, commit } = resolved ?? identify(await opened.value())
  const place: EnvironmentPlace = { owner, name, commit, options: input.place }
  const { platform } = input.place
  yield { type: 'bootstrap-start', repo: url, ref: spec.ref, commit, sandbox: sandbox.name, platform }
  const recall = async () => (force || input.recipe ? undefined : await recallEnvironment(input, place))
  // A sandbox that does not answer has no image either; what is wrong with it is told next.
  const known = await recall().catch(() => undefined)
  if (known) {
    yield ended(known, true)
    return known
  }
  if (resolved) await input.prepare?.()
  const release = yield* waitFor(input, place)
  try {
    const madeMeanwhile = await recall()
    if (madeMeanwhile) {
      yield ended(madeMeanwhile, true)
      return madeMeanwhile
    }
    const record = yield* make(input, { place, repository: await opened.value() })
    yield ended(record, false)
    return record
  } finally {
    await release()
  }
}

interface Making {
  readonly place: EnvironmentPlace
  readonly repository: Repository
}

async function* make(
  input: MakeEnvironmentInput,
  { place, repository }: Making,
): AsyncGenerator<BootstrapEvent, EnvironmentRecord> {
  const { store, maxSeconds } = input
  const log = await openAttemptsLog(store.logFolder(place))
  const late = AbortSignal.timeout(maxSeconds * 1000)
  const signal = AbortSignal.any([input.signal, late])
  const tree = await repository.tree(place.commit)
  try {
    const subject = { tree, repository, place, log, signal }
    const found = yield* tryRecipes(input, subject)
    if (found.kind === 'none') throw failed(place, found, log)
    return await saveEnvironment(input, { ...subject, found })
  } catch (error) {
    if (!late.aborted || input.signal.aborted || isR2eError(error)) throw error
    throw userError('bootstrap_failed', `no environment of ${nameOf(place)} was proven within ${maxSeconds} s`, {
      fix: `--max-seconds SECONDS: a longer limit; what was tried is in ${log.path}`,
      details: { log: log.path },
    })
  }
}

function failed(place: EnvironmentPlace, { failed: attempts, mending }: NoRecipe, log: AttemptsLog): R2eError {
  const last = attempts.at(-1)?.failure
  const tried =
    last === undefined
      ? 'no manifest of a known language says how to install and test it'
      : `${attempts.length} ${attempts.length === 1 ? 'recipe was' : 'recipes were'} tried; ${last.reason}: ${last.detail}`
  const mended = mending ? `; mending ended with ${mending}` : ''
  const hints = failureHints(attempts)
  return userError('bootstrap_failed', `no environment of ${nameOf(place)} runs its tests: ${tried}${mended}`, {
    fix: [...hints, `what was tried is in ${log.path}`].join('; '),
    details: {
      log: log.path,
      hints: [...hints],
      attempts: attempts.map(({ recipe, failure }) => ({
        language: recipe.language,
        base_image: recipe.baseImage,
        reason: failure.reason,
        detail: failure.detail,
        seconds: failure.seconds,
      })),
    },
  })
}

const nameOf = ({ owner, name, commit }: EnvironmentPlace) => `${owner}/${name} at ${commit.slice(0, 12)}`

async function* waitFor(
  { store, signal }: MakeEnvironmentInput,
  place: EnvironmentPlace,
): AsyncGenerator<BootstrapEvent, () => Promise<void>> {
  const waiting = Promise.withResolvers<'waits'>()
  const locking = store.lock(place, { signal, onWait: () => waiting.resolve('waits') })
  if ((await Promise.race([locking, waiting.promise])) === 'waits')
    yield { type: 'lock-wait', path: store.pathOf(place) }
  return await locking
}

function identify({ owner, name, url, head }: Repository): ResolvedRef {
  return { owner, name, url, commit: head }
}

/** Opened on first use, closed if it was. */
function lazily(open: () => Promise<Repository>) {
  let opened: Promise<Repository> | undefined
  return {
    value: () => (opened ??= open()),
    async [Symbol.asyncDispose]() {
      await (await opened?.catch(() => undefined))?.[Symbol.asyncDispose]()
    },
  }
}
