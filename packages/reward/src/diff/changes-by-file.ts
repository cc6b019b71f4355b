import { fileMarker } from './normalise-diff.ts'
import { splitLines } from './split-lines.ts'

/** The compared lines of each file of a diff, by the file's name. */
export type Changes = Map<string, string[]>

interface Section {
  /** The last `+++` or `---` path that is not /dev/null; until there is one, the line that opened the section. */
  name: string
  readonly lines: string[]
  /** Above the first hunk. */
  header: boolean
  /** A `--- ` line was seen. */
  marked: boolean
}

/** What git writes above the hunks of a file (but index ids and similarity), and its added and removed lines. */
export function changesByFile(text: string): Changes {
  const lines = splitLines(text)
  const sections: Section[] = []
  let removed = 0
  let added = 0
  lines.forEach((line, at) => {
    const section = sections.at(-1)
    if (removed > 0 || added > 0) {
      const sign = line[0] ?? ' '
      if (sign === '-' || sign === '+') section?.lines.push(line)
      if (sign === '-' || sign === ' ') removed--
      if (sign === '+' || sign === ' ') added--
      return
    }
    const hunk = /^@@ -[0-9]{1,9}(?:,([0-9]{1,9}))? \+[0-9]{1,9}(?:,([0-9]{1,9}))? @@/.exec(line)
    if (hunk && section) {
      removed = Number(hunk[1] ?? 1)
      added = Number(hunk[2] ?? 1)
      section.header = false
    } else if (opensSection(line, lines[at + 1] ?? '', section)) {
      sections.push({ name: line, lines: [], header: true, marked: false })
      addHeader(sections.at(-1)!, line)
    } else if (section?.header) addHeader(section, line)
    else if (section && (line.startsWith('+') || line.startsWith('-'))) section.lines.push(line)
  })
  return byName(sections)
}

function opensSection(line: string, following: string, section: Section | undefined): boolean {
  if (line.startsWith('diff --git ')) return true
  if (section?.header && !section.marked) return false
  return line.startsWith('--- ') && following.startsWith('+++ ')
}

function addHeader(section: Section, line: string): void {
  if (line === '' || /^(?:diff --git|index|similarity index|dissimilarity index) /.test(line)) return
  const marker = line.startsWith('--- ') || line.startsWith('+++ ')
  const kept = marker ? fileMarker(line) : line
  section.lines.push(kept)
  if (!marker) return
  section.marked = true
  if (!kept.endsWith(' /dev/null')) section.name = kept.slice(4).replace(/^[ab]\//, '')
}

function byName(sections: readonly Section[]): Changes {
  const changes: Changes = new Map()
  for (const { name, lines } of sections) {
    const known = changes.get(name)
    if (known === undefined) changes.set(name, lines)
    else for (const line of lines) known.push(line)
  }
  return changes
}
