import { readdir, rm, stat, utimes } from 'node:fs/promises'
import { join } from 'node:path'
import type { Recipe } from '@r2e/spec'
import { readJson, readText, removeEntry, type TakeLock, waitForLock, writeEntry } from './entry-folder.ts'
import { commitFolder, type EnvironmentPlace, repositoryFolder } from './environment-place.ts'
import { type EnvironmentRecord, isRecord } from './environment-record.ts'
import { isObject, isProofOf, type StoredRecipe } from './stored-recipe.ts'

/**
 * The folder of proven environments. An entry is whole or it counts as absent, whatever happened to the process that
 * wrote it; several processes may use one folder.
 */
export interface EnvironmentStore {
  readonly directory: string
  /** The folder of an environment. */
  pathOf(place: EnvironmentPlace): string
  find(place: EnvironmentPlace): Promise<EnvironmentRecord | undefined>
  /** Says that an environment is in use now. */
  touch(place: EnvironmentPlace): Promise<void>
  recipe(key: string): Promise<StoredRecipe | undefined>
  /** The recipe that is tried before all others of a set of inferred ones. */
  preferred(set: string): Promise<StoredRecipe | undefined>
  saveRecipe(stored: StoredRecipe): Promise<void>
  savePreferred(set: string, key: string): Promise<void>
  save(place: EnvironmentPlace, record: EnvironmentRecord, transcript: string | Uint8Array): Promise<void>
  /** Holds the place until the answer is called: one process makes an environment, others wait for it. */
  lock(place: EnvironmentPlace, wait: LockWait): Promise<() => Promise<void>>
  /** Folder of the logs of making it. */
  logFolder(place: EnvironmentPlace): string
  list(): Promise<readonly StoredEnvironment[]>
  remove(environment: StoredEnvironment): Promise<void>
  /** Removes recipes, and what prefers them, that no environment has any more. Answers how many recipes went. */
  removeUnused(): Promise<number>
}

export interface LockWait {
  readonly signal: AbortSignal
  readonly onWait: () => void
}

/** An environment as it lies in the store. */
export interface StoredEnvironment {
  /** `<owner>__<name>/<sha12>__<opts8>`. */
  readonly id: string
  readonly path: string
  readonly record: EnvironmentRecord
  /** Milliseconds since 1970. */
  readonly usedAt: number
}

const COMMIT_FOLDER = /^[0-9a-f]{12}__[0-9a-f]{8}$/
const KEY = /^[0-9a-f]{24}$/

/** `takeLock` is the engine's: one lock for every folder that processes share. */
export function openEnvironmentStore(directory: string, takeLock: TakeLock): EnvironmentStore {
  const pathOf = (place: EnvironmentPlace) => join(directory, repositoryFolder(place), commitFolder(place))
  const recipePath = (key: string) => join(directory, 'recipes', key)
  const setPath = (set: string) => join(directory, 'sets', set)
  const recipe = async (key: string) => (KEY.test(key) ? await readRecipe(recipePath(key), key) : undefined)
  const list = async () => await readEnvironments(directory)
  return {
    directory,
    pathOf,
    recipe,
    list,
    async touch(place) {
      const now = new Date()
      await utimes(join(pathOf(place), 'bootstrap.json'), now, now).catch(() => {})
    },
    async find(place) {
      const record = await readJson(join(pathOf(place), 'bootstrap.json'))
      return isRecord(record) && record.ref === place.commit ? record : undefined
    },
    async preferred(set) {
      const found = await readJson(join(setPath(set), 'set.json'))
      return isObject(found) && typeof found.recipe === 'string' ? await recipe(found.recipe) : undefined
    },
    async saveRecipe({ key, recipe: made, proof, dockerfile }) {
      const files = { 'recipe.json': text(made), 'proof.json': text(proof), Dockerfile: dockerfile }
      await writeEntry(takeLock, recipePath(key), files)
    },
    async savePreferred(set, key) {
      await writeEntry(takeLock, setPath(set), { 'set.json': text({ schema: 'r2e.set/1', recipe: key }) })
    },
    async save(place, record, transcript) {
      const files = {
        'bootstrap.json': text(record),
        Dockerfile: record.dockerfile_reconstruction,
        'transcript.jsonl': transcript,
      }
      await writeEntry(takeLock, pathOf(place), files)
    },
    lock: (place, wait) => waitForLock(takeLock, `${pathOf(place)}.making`, wait),
    logFolder: (place) => join(directory, 'logs', `${repositoryFolder(place)}__${commitFolder(place)}`),
    async remove({ id, path }) {
      await removeEntry(takeLock, path)
      await rm(join(directory, 'logs', id.replace('/', '__')), { recursive: true, force: true })
    },
    async removeUnused() {
      const used = new Set((await list()).map(({ record }) => record.extra.key))
      const unused = (await readdir(join(directory, 'recipes')).catch(() => [])).filter(
        (key) => KEY.test(key) && !used.has(key),
      )
      for (const key of unused) await removeEntry(takeLock, recipePath(key))
      for (const set of await readdir(join(directory, 'sets')).catch(() => [])) {
        const found = await readJson(join(setPath(set), 'set.json'))
        const kept = isObject(found) && typeof found.recipe === 'string' && used.has(found.recipe)
        if (KEY.test(set) && !kept) await removeEntry(takeLock, setPath(set))
      }
      return unused.length
    },
  }
}

const text = (value: object) => `${JSON.stringify(value, undefined, 2)}\n`

async function readRecipe(path: string, key: string): Promise<StoredRecipe | undefined> {
  const [recipe, proof] = await Promise.all([readJson(join(path, 'recipe.json')), readJson(join(path, 'proof.json'))])
  const dockerfile = await readText(join(path, 'Dockerfile'))
  if (dockerfile === undefined || !isProofOf(proof, { key, recipe, dockerfile })) return undefined
  return { key, recipe: recipe as Recipe, proof, dockerfile }
}

async function readEnvironments(directory: string): Promise<readonly StoredEnvironment[]> {
  const found: StoredEnvironment[] = []
  for (const repository of (await readdir(directory).catch(() => [])).sort()) {
    if (!repository.includes('__')) continue
    for (const commit of (await readdir(join(directory, repository)).catch(() => [])).sort()) {
      if (!COMMIT_FOLDER.test(commit)) continue
      const path = join(directory, repository, commit)
      const record = await readJson(join(path, 'bootstrap.json'))
      const status = await stat(join(path, 'bootstrap.json')).catch(() => undefined)
      if (isRecord(record) && status)
        found.push({ id: `${repository}/${commit}`, path, record, usedAt: status.mtimeMs })
    }
  }
  return found
}
