/** Sections of an INI file as Python's configparser reads it: indented lines continue a value, whole-line comments go. */
export type IniFile = ReadonlyMap<string, ReadonlyMap<string, string>>

export function parseIni(text: string): IniFile {
  const sections = new Map<string, Map<string, string>>()
  let section: Map<string, string> | undefined
  let key: string | undefined
  for (const line of text.split(/\r\n?|\n/)) {
    if (/^\s*([#;]|$)/.test(line)) continue
    const header = /^\[([^\]]+)\]/.exec(line)
    if (header) {
      section = sections.get(header[1]!.trim()) ?? new Map()
      sections.set(header[1]!.trim(), section)
      key = undefined
    } else if (/^\s/.test(line) && key !== undefined) {
      section?.set(key, `${section.get(key)}\n${line.trim()}`)
    } else {
      const at = line.search(/[=:]/)
      key = (at < 0 ? line : line.slice(0, at)).trim().toLowerCase()
      section?.set(key, at < 0 ? '' : line.slice(at + 1).trim())
    }
  }
  return sections
}
