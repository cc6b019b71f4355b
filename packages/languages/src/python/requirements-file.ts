import type { Manifests } from '../manifests.ts'
import { folderOf, joinPath } from '../path.ts'
import { parseOwnExtras, parseRequirement, type Requirement } from './requirement.ts'

export interface RequirementsFile {
  readonly requirements: readonly Requirement[]
  readonly constraints: readonly Requirement[]
}

/** A requirements file with what it includes. Options, hashes and paths are left out, but for extras of the project itself. */
export async function readRequirementsFile(manifests: Manifests, path: string): Promise<RequirementsFile> {
  const requirements: Requirement[] = []
  const constraints: Requirement[] = []
  await collect(path, requirements, new Set())
  return { requirements, constraints }

  async function collect(from: string, into: Requirement[], seen: Set<string>): Promise<void> {
    if (seen.has(from) || seen.size > 50) return
    seen.add(from)
    for (const line of requirementLines((await manifests.read(from)) ?? '')) {
      const include = /^(?:-(r|c)\s*|--(requirement|constraint)[\s=]\s*)(\S+)/.exec(line)
      const target = include ? joinPath(folderOf(from), include[3]!) : undefined
      if (target !== undefined) {
        await collect(target, include![1] === 'c' || include![2] === 'constraint' ? constraints : into, seen)
        continue
      }
      const requirement = parseRequirement(line) ?? parseOwnExtras(line)
      if (requirement) into.push(requirement)
    }
  }
}

/** Lines of the same form that stand in another file: what they include is seen from there. */
export async function readRequirementLines(
  manifests: Manifests,
  path: string,
  lines: readonly string[],
): Promise<Requirement[]> {
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

/** Lines joined at backslashes; comments and per-line options (hashes) removed. */
export function requirementLines(text: string): string[] {
  return text
    .replace(/\\\r?\n/g, ' ')
    .split(/\r\n?|\n/)
    .map((line) => line.replace(/(^|\s)#.*$/, '').replace(/\s--(hash|config-settings|global-option)\b.*$/, ''))
    .map((line) => line.trim())
    .filter((line) => line !== '')
}
