import { readFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { parseEnv } from 'node:util'

export interface Environment {
  readonly values: Readonly<Record<string, string | undefined>>
  /** The `.env` file that was read. */
  readonly file: string | undefined
}

/** The variables of the process over those of the nearest `.env`, searched from `directory` upwards. */
export async function readEnvironment(
  directory: string,
  variables: Readonly<Record<string, string | undefined>>,
): Promise<Environment> {
  for (let folder = directory; ; folder = dirname(folder)) {
    const file = join(folder, '.env')
    const text = await readFile(file, 'utf8').catch(() => undefined)
    if (text !== undefined) return { values: { ...parseEnv(text), ...variables }, file }
    if (folder === dirname(folder)) return { values: variables, file: undefined }
  }
}
