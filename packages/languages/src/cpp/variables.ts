import type { Source } from './read-source.ts'

/** A bracket opens here, a statement ends, a value begins, or the preprocessor is spoken to. */
const mark = /[(){};=]|^#(?:[^\n\\]|\\[\s\S])*/gm
const container = /(?:^|[\s;}])(?:inline )?(?:namespace\b[\w:\s]*|extern\s"+)\s*$/
/** Of a function or a macro: what it opens ends the statement. */
const parameters = /\)(?:\s?(?:const|noexcept|override|final))*\s*(?:->[^(){};=]*)?$/
const declarator = /([A-Za-z_]\w*)\s?(?:\[[^[\]]*\]\s?)*$/
const type = /(?:^|\s)(?:struct|class|enum|union)\b/
const noVariable = /(?:^|\s)(?:typedef|using|template|operator)\b/
/** Nothing between a declaration's first word and its name is longer. */
const longest = 300

/** Variables with a value at the top level of a file or a namespace, by name: a table may stand beside its test. */
export function topLevelVariables({ text, masked, endOf }: Source): ReadonlyMap<string, string> {
  const found = new Map<string, string>()
  let start = 0
  /** Where the value of this statement begins. */
  let value: number | undefined
  const next = (from: number) => {
    start = from
    value = undefined
  }
  mark.lastIndex = 0
  for (let match = mark.exec(masked); match; match = mark.exec(masked)) {
    const at = match.index
    const char = match[0]
    const head = masked.slice(Math.max(start, at - longest), at)
    if (char === '(') mark.lastIndex = endOf(at)
    else if (char === '=') value ??= /\b(?:template|operator)\b/.test(head) ? undefined : at
    else if (char === '{' && value === undefined && container.test(head)) next(at + 1)
    else if (char === '{') {
      mark.lastIndex = endOf(at)
      if (value === undefined && parameters.test(head)) next(mark.lastIndex)
      else if (!type.test(head) && !noVariable.test(head)) value ??= at
    } else if (char === ';') {
      const name = value === undefined ? undefined : nameOf(masked.slice(Math.max(start, value - longest), value))
      const statement = text.slice(start, at + 1).trim()
      if (name !== undefined) found.set(name, found.has(name) ? `${found.get(name)}\n${statement}` : statement)
      next(at + 1)
    } else if (char === '}' || (char.startsWith('#') && masked.slice(start, at).trim() === '')) next(at + char.length)
  }
  return found
}

function nameOf(head: string): string | undefined {
  return noVariable.test(head) ? undefined : declarator.exec(head)?.[1]
}
