import type { Manifests } from '../manifests.ts'
import { folderOf, joinPath } from '../path.ts'
import { stringAt, stringsAt, type TomlTable } from '../toml.ts'
import { type IniFile, parseIni } from './ini.ts'
import { parseRequirement, type Requirement } from './requirement.ts'
import { readRequirementsFile, requirementLines } from './requirements-file.ts'

/** The dependencies of tox's default environment; lines for one factor only (`py27: mock`) are left out. */
export async function toxRequirements(manifests: Manifests, path: string, ini: IniFile): Promise<Requirement[]> {
  return readLines(manifests, path, requirementLines(ini.get('testenv')?.get('deps') ?? ''))
}

export async function toxTableRequirements(
  manifests: Manifests,
  path: string,
  toml: TomlTable,
): Promise<Requirement[]> {
  const legacy = stringAt(toml, 'tool', 'tox', 'legacy_tox_ini')
  if (legacy !== undefined) return toxRequirements(manifests, path, parseIni(legacy))
  return readLines(manifests, path, stringsAt(toml, 'tool', 'tox', 'env_run_base', 'deps'))
}

async function readLines(manifests: Manifests, path: string, lines: readonly string[]): Promise<Requirement[]> {
  const found: Requirement[] = []
  for (const line of lines) {
    const include = /^-r\s*(?:\{toxinidir\}\/)?(\S+)/.exec(line)?.[1]
    const target = include === undefined ? undefined : joinPath(folderOf(path), include)
    if (target !== undefined) found.push(...(await readRequirementsFile(manifests, target)).requirements)
    const requirement = parseRequirement(line)
    if (requirement) found.push(requirement)
  }
  return found
}
