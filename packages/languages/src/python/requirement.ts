/** One dependency of PEP 508, kept as written. */
export interface Requirement {
  /** Normalised as PEP 503 does: lower case, runs of `-_.` as one `-`. */
  readonly name: string
  /** `[a,b]`, or empty. */
  readonly extras: string
  /** Version specifiers, or `@ URL`. */
  readonly specifier: string
  /** After the semicolon, or empty. */
  readonly marker: string
}

const shape = /^([A-Za-z0-9](?:[A-Za-z0-9._-]*[A-Za-z0-9])?)\s*(\[[A-Za-z0-9._,\s-]*\])?\s*(.*)$/s
const clause = String.raw`(?:===|==|~=|!=|<=|>=|<|>)\s*[A-Za-z0-9.*+!_-]+`
const versions = new RegExp(String.raw`^\(?\s*(?:${clause}(?:\s*,\s*${clause})*\s*,?)?\s*\)?$`)
const address = /^@\s*(?:git\+)?https:\/\/[^\s;]+$/

/** Stands for the name of the project itself, where a line names it by its place. */
export const ownName = '.'

/** `-e .[a,b]` and `.[a,b]`: extras of the project itself. */
export function parseOwnExtras(line: string): Requirement | undefined {
  const match = /^(?:(?:-e|--editable)[\s=]*)?["']?(?:\.|\{toxinidir\})\/?(\[[A-Za-z0-9._,\s-]*\])["']?$/.exec(
    line.trim(),
  )
  return match ? { name: ownName, extras: match[1]!.replace(/\s/g, ''), specifier: '', marker: '' } : undefined
}

/** Extras of the project itself, as words of these lines. */
export function ownExtras(lines: readonly string[]): Requirement[] {
  const names = lines.flatMap((line) => line.split(/[\s,]+/)).filter((name) => /^[A-Za-z0-9][\w.-]*$/.test(name))
  return names.length === 0 ? [] : [{ name: ownName, extras: `[${names.join(',')}]`, specifier: '', marker: '' }]
}

/** undefined for what is no PEP 508 text: an option, a path, a bare address, a line with a variable. */
export function parseRequirement(line: string): Requirement | undefined {
  const text = line.trim()
  if (text.length > 2000 || text.includes('${') || /[\n\r\0]/.test(text)) return undefined
  const at = text.startsWith('@') ? -1 : text.search(/\s;|;\s|;(?=[^/]*$)/)
  const head = (at < 0 ? text : text.slice(0, at)).trim()
  const marker = at < 0 ? '' : text.slice(at).replace(/^\s*;/, '').trim()
  const match = shape.exec(head)
  if (!match) return undefined
  const specifier = match[3]!.trim()
  if (!versions.test(specifier) && !address.test(specifier)) return undefined
  return {
    name: normalName(match[1]!),
    extras: (match[2] ?? '').replace(/\s/g, ''),
    specifier: specifier.replace(/^\(\s*|\s*\)$/g, ''),
    marker,
  }
}

export function normalName(name: string): string {
  return name.replace(/[-_.]+/g, '-').toLowerCase()
}

export function formatRequirement({ name, extras, specifier, marker }: Requirement): string {
  return `${name}${extras}${specifier.startsWith('@') ? ' ' : ''}${specifier}${marker === '' ? '' : ` ; ${marker}`}`
}

export function parseRequirements(lines: readonly string[]): Requirement[] {
  return lines.map(parseRequirement).filter((requirement) => requirement !== undefined)
}

/** Without its version: what a lock or a compiled file froze. */
export function loosen(requirement: Requirement): Requirement {
  return requirement.specifier.startsWith('==') ? { ...requirement, specifier: '' } : requirement
}

/** Each text once, in the order of first sight. */
export function uniqueRequirements(all: readonly Requirement[]): Requirement[] {
  return [...new Map(all.map((requirement) => [formatRequirement(requirement), requirement])).values()]
}
