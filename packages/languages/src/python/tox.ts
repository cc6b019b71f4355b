import type { Manifests } from '../manifests.ts'
import { stringAt, stringsAt, type TomlTable } from '../toml.ts'
import { type IniFile, parseIni } from './ini.ts'
import { ownExtras, parseRequirements, type Requirement } from './requirement.ts'
import { readRequirementLines, requirementLines } from './requirements-file.ts'

/**
 * The dependencies of tox's default environment, the extras of the project that it names among them; lines for one
 * factor only (`py27: mock`) are left out.
 */
export async function toxRequirements(manifests: Manifests, path: string, ini: IniFile): Promise<Requirement[]> {
  const extras = requirementLines(ini.get('testenv')?.get('extras') ?? '').flatMap(withoutFactors)
  return [...(await readRequirementLines(manifests, path, depsOf(ini).flatMap(withoutFactors))), ...ownExtras(extras)]
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
  return [...(await readRequirementLines(manifests, path, read('deps'))), ...ownExtras(read('extras'))]
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
