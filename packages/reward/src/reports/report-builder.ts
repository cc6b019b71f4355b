import { type ParsedReport, STATUS_ORDER, type TestStatus } from '@r2e/spec'

/** Collects what a parser finds: of an id that comes twice the worst status counts (parsers.md §1). */
export interface ReportBuilder {
  add(id: string, status: TestStatus): void
  /** As `add`, but an id that is there already gets the next ordinal (parsers.md §1). */
  addNext(id: string, status: TestStatus): void
  unload(scope: string): void
  malformed(): void
  report(): ParsedReport
}

export function reportBuilder(): ReportBuilder {
  // One table, since a report holds a million ids; without a prototype, since an id may be `__proto__`.
  const tests: Record<string, TestStatus> = Object.create(null)
  const unloaded = new Set<string>()
  const repeats = new Map<string, number>()
  let malformed = 0
  const add = (id: string, status: TestStatus) => {
    const known = tests[id]
    if (known === status) return
    if (known === undefined || STATUS_ORDER.indexOf(status) < STATUS_ORDER.indexOf(known)) tests[id] = status
  }
  return {
    add,
    addNext(id, status) {
      if (tests[id] === undefined) {
        tests[id] = status
        return
      }
      const count = (repeats.get(id) ?? 1) + 1
      repeats.set(id, count)
      add(`${id} #${count}`, status)
    },
    unload: (scope) => void unloaded.add(scope),
    malformed: () => void malformed++,
    report: () => ({ tests, unloaded: [...unloaded].sort(), malformed }),
  }
}

/** Makes equal ids of one report differ, in its order: the second gets ` #2` (parsers.md §1). */
export function numberedIds(): (id: string) => string {
  const seen = new Map<string, number>()
  return (id) => {
    const count = (seen.get(id) ?? 0) + 1
    seen.set(id, count)
    return count === 1 ? id : `${id} #${count}`
  }
}

export function unreadable(error: string): ParsedReport {
  return { tests: {}, unloaded: [], malformed: 1, error }
}

/** The canonical form of an id or scope: NFC, C0 controls as `\xNN`, no CR, no blanks at the end, well-formed. */
export function canonicalId(text: string): string {
  const plain = /^[\x20-\x7e]*$/.test(text) ? text : escapeText(text)
  return plain.endsWith(' ') ? plain.replace(/(?<! ) +$/, '') : plain
}

function escapeText(text: string): string {
  return text
    .toWellFormed()
    .normalize('NFC')
    .replaceAll('\r', '')
    .trimEnd()
    .replace(/[\x00-\x1f]/g, (char) => `\\x${char.charCodeAt(0).toString(16).padStart(2, '0')}`)
}
