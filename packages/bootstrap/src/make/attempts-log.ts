import { appendFile, mkdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Recipe, RecipeFailure } from '@r2e/spec'
import type { BootstrapEvent } from './bootstrap-event.ts'

/** What was tried and how it ended, on disk as it happens. */
export interface AttemptsLog {
  readonly path: string
  /** For the mender to write to. */
  readonly transcript: string
  failed(index: number, recipe: Recipe, failure: RecipeFailure): Promise<void>
  note(line: string): Promise<void>
  /** Writes the event down, and hands it on. */
  event<E extends BootstrapEvent>(event: E): Promise<E>
}

/** A new log, in place of that of the time before. */
export async function openAttemptsLog(folder: string): Promise<AttemptsLog> {
  await rm(folder, { recursive: true, force: true })
  await mkdir(folder, { recursive: true })
  const path = join(folder, 'attempts.log')
  const events = join(folder, 'events.jsonl')
  await writeFile(path, '')
  const note = (text: string) => appendFile(path, `${text}\n`)
  return {
    path,
    transcript: join(folder, 'transcript.jsonl'),
    note,
    failed: (index, recipe, { reason, detail, step, log, seconds }) =>
      note(
        [
          `== recipe ${index}: ${recipe.language} on ${recipe.baseImage}, ${seconds} s`,
          ...recipe.origin.map(({ fact, file }) => `   ${file}: ${fact}`),
          `-- ${reason}: ${detail}`,
          ...(step === undefined ? [] : [`-- at ${step}`]),
          log.trimEnd(),
          '',
        ].join('\n'),
      ),
    async event(event) {
      await appendFile(events, `${JSON.stringify(event)}\n`)
      return event
    },
  }
}
