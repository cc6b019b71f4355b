import { readFile, stat } from 'node:fs/promises'
import { dirname, extname, isAbsolute, join } from 'node:path'
import { decodeUtf8, isR2eError, userError } from '@r2e/spec'
import { expandHome, type Places } from './normalise.ts'
import { fileProblem, type ParsedFile } from './parsed-file.ts'

export interface ConfigFile extends ParsedFile {
  /** As the user wrote it. */
  readonly name: string
  /** Absolute. */
  readonly folder: string
}

const largest = 1 << 20

const parsers: Readonly<Record<string, () => Promise<(text: string, name: string) => ParsedFile>>> = {
  '.yaml': async () => (await import('./yaml-file.ts')).parseYaml,
  '.yml': async () => (await import('./yaml-file.ts')).parseYaml,
  '.toml': async () => (await import('./toml-file.ts')).parseToml,
  '.json': async () => (await import('./json-file.ts')).parseJson,
}

/** @throws R2eError `config_not_found`, `unknown_format`, `bad_yaml`, `bad_toml`, `bad_json` */
export async function readConfigFile(name: string, places: Places): Promise<ConfigFile> {
  const expanded = expandHome(name, places.home)
  const path = isAbsolute(expanded) ? expanded : join(places.directory, expanded)
  const parser = parsers[extname(path).toLowerCase()]
  const text = await readText(name, path)
  if (!parser) {
    throw userError('unknown_format', `${name}: the format is told by the ending, and "${extname(path)}" is none`, {
      fix: 'name the file .yaml, .yml, .toml or .json',
    })
  }
  const parsed = (await parser())(text, name)
  const values = parsed.values ?? {}
  if (typeof values !== 'object' || Array.isArray(values)) {
    throw fileProblem('wrong_type', { name, position: { line: 1, column: 1 }, message: 'the file must hold a mapping' })
  }
  return { ...parsed, values, name, folder: dirname(path) }
}

async function readText(name: string, path: string): Promise<string> {
  try {
    const status = await stat(path)
    if (!status.isFile())
      throw userError('config_not_found', `${name} is not a file`, { fix: 'name a file with --config' })
    if (status.size > largest)
      throw userError('config_too_large', `${name} holds ${status.size} bytes, limit ${largest}`)
    return decodeUtf8(await readFile(path)).replace(/^\ufeff/, '')
  } catch (error) {
    if (isR2eError(error)) throw error
    throw userError('config_not_found', `cannot read ${name}: ${(error as NodeJS.ErrnoException).code}`, {
      fix: `looked at ${path}; r2e init writes a sample`,
      cause: error,
    })
  }
}
