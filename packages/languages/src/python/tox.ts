import type { Manifests } from '../manifests.ts'
import { folderOf, joinPath } from '../path.ts'
import { stringAt, stringsAt, type TomlTable } from '../toml.ts'
import { type IniFile, parseIni } from './ini.ts'
import { ownName, parseOwnExtras, parseRequirement, parseRequirements, type Requirement } from './requirement.ts'
import { readRequirementsFile, requirementLines } from './requirements-file.ts'

/**
 * The dependencies of tox's default environment, the extras of the project that it names among them; lines for one
 * factor only (`py27: mock`) are left out.
 */
export async function toxRequirements(manifests: Manifests, path: string, ini: IniFile): Promise<Requirement[]> {
  const extras = requirementLines(ini.get('testenv')?.get('extras') ?? '').flatMap(withoutFactors)
  return [...(await readLines(manifests, path, depsOf(ini).flatMap(withoutFactors))), ...ownExtras(extras)]
}

/** What the lines for one factor only name. */
export function toxFactorRequirements(ini: IniFile): Requirement[] {
  return parseRequirements(depsOf(ini).flatMap((line) => factor.exec(line)?.[2] ?? []))
}

export async function toxTableRequirements(
  manifests: Manifests,
  path: string,
  toml: TomlTable,
): Promise<Requirement[]> {
  const legacy = stringAt(toml, 'tool', 'tox', 'legacy_tox_ini')
  if (legacy !== undefined) return toxRequirements(manifests, path, parseIni(legacy))
  const read = (key: string) => stringsAt(toml, 'tool', 'tox', 'env_run_base', key)
  return [...(await readLines(manifests, path, read('deps'))), ...ownExtras(read('extras'))]
}

function depsOf(ini: IniFile): string[] {
  return requirementLines(ini.get('testenv')?.get('deps') ?? '')
}

const factor = /^([\w.!,{} -]+):\s+(.+)$/

/** `!latest: a` holds where no factor is set; `py27: a` does not. */
function withoutFactors(line: string): string[] {
  const [, condition, rest] = factor.exec(line) ?? []
  if (condition === undefined) return [line]
  return /^!\w+(?:-!\w+)*$/.test(condition.trim()) ? [rest!] : []
}

function ownExtras(lines: readonly string[]): Requirement[] {
  const names = lines.flatMap((line) => line.split(/[\s,]+/)).filter((name) => /^[A-Za-z0-9][\w.-]*$/.test(name))
  return names.length === 0 ? [] : [{ name: ownName, extras: `[${names.join(',')}]`, specifier: '', marker: '' }]
}

async function readLines(manifests: Manifests, path: string, lines: readonly string[]): Promise<Requirement[]> {
  const found: Requirement[] = []
  for (const line of lines) {
    const include = /^-r\s*(?:\{toxinidir\}\/)?(\S+)/.exec(line)?.[1]
    const target = include === undefined ? undefined : joinPath(folderOf(path), include)
    if (target !== undefined) found.push(...(await readRequirementsFile(manifests, target)).requirements)
    const requirement = parseRequirement(line) ?? parseOwnExtras(line)
    if (requirement) found.push(requirement)
  }
  return found
}
