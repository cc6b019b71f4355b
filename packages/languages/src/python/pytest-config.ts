import type { Manifests } from '../manifests.ts'
import { joinPath } from '../path.ts'
import { splitWords } from '../shell-words.ts'
import { parseToml, stringAt, stringsAt, type TomlTable, tableAt } from '../toml.ts'
import { parseIni } from './ini.ts'

export interface PytestConfig {
  readonly file: string
  readonly addopts: readonly string[]
  readonly testpaths: readonly string[]
  /** Keys of the section, for what else must be isolated. */
  readonly keys: readonly string[]
  /** Whether a warning fails a test. */
  readonly warningsFail: boolean
}

/** The configuration that pytest takes for a run from this folder: the first file that has its section. */
export async function readPytestConfig(manifests: Manifests, folder: string): Promise<PytestConfig | undefined> {
  for (const name of [
    'pytest.toml',
    '.pytest.toml',
    'pytest.ini',
    '.pytest.ini',
    'pyproject.toml',
    'tox.ini',
    'setup.cfg',
  ]) {
    const path = joinPath(folder, name)!
    if (!manifests.has(path)) continue
    const text = (await manifests.read(path)) ?? ''
    const section = name.endsWith('.toml') ? tomlSection(name, parseToml(text) ?? {}) : iniSection(name, text)
    if (section) return { file: path, ...section }
  }
  return undefined
}

type Section = Omit<PytestConfig, 'file'>

function tomlSection(name: string, toml: TomlTable): Section | undefined {
  const own = name === 'pyproject.toml' ? tableAt(toml, 'tool', 'pytest') : tableAt(toml, 'pytest')
  const legacy = tableAt(own, 'ini_options')
  const table = name === 'pyproject.toml' && Object.keys(legacy).length > 0 ? legacy : own
  const keys = Object.keys(table).filter((key) => key !== 'ini_options')
  if (keys.length === 0) return undefined
  const words = (key: string) => splitWords(stringAt(table, key) ?? '') ?? []
  return {
    addopts: [...stringsAt(table, 'addopts'), ...words('addopts')],
    testpaths: [...stringsAt(table, 'testpaths'), ...words('testpaths')],
    keys,
    warningsFail: fails([...stringsAt(table, 'filterwarnings'), ...words('filterwarnings'), ...words('addopts')]),
  }
}

function iniSection(name: string, text: string): Section | undefined {
  const section = parseIni(text).get(name === 'setup.cfg' ? 'tool:pytest' : 'pytest')
  if (section === undefined) return undefined
  const words = (key: string) => splitWords(section.get(key) ?? '') ?? []
  return {
    addopts: words('addopts'),
    testpaths: words('testpaths'),
    keys: [...section.keys()],
    warningsFail: fails([...words('filterwarnings'), ...words('addopts')]),
  }
}

function fails(filters: readonly string[]): boolean {
  return filters.some((filter) => /^(-W)?error\b/.test(filter))
}
