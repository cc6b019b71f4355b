import { type ParsedReport, STATUS_ORDER, type TestStatus } from '@r2e/spec'

/**
 * Collects what a parser finds: of an id that comes twice the worst status counts (parsers.md §1). Several tests of one
 * id are told apart by ordinals, the worst first: whoever adds a passing test of a wanted name gains nothing.
 */
export interface ReportBuilder {
  /** `nth`: which of several tests of this id it is, from 1. */
  add(id: string, status: TestStatus, nth?: number): void
  /** As `add`, but each call is another test. */
  addNext(id: string, status: TestStatus): void
  unload(scope: string): void
  malformed(): void
  report(): ParsedReport
}

export function reportBuilder(): ReportBuilder {
  // One table, since a report holds a million ids; without a prototype, since an id may be `__proto__`.
  const tests: Record<string, TestStatus> = Object.create(null)
  /** Of ids with several tests: those behind the first, in the order of their ordinals. */
  const later = new Map<string, TestStatus[]>()
  const unloaded = new Set<string>()
  let malformed = 0
  const laterOf = (id: string) => {
    const known = later.get(id)
    if (known) return known
    const none: TestStatus[] = []
    later.set(id, none)
    return none
  }
  return {
    add(id, status, nth = 1) {
      if (nth === 1) tests[id] = worse(tests[id], status)
      else {
        const others = laterOf(id)
        others[nth - 2] = worse(others[nth - 2], status)
      }
    },
    addNext(id, status) {
      if (tests[id] === undefined) tests[id] = status
      else laterOf(id).push(status)
    },
    unload: (scope) => void unloaded.add(scope),
    malformed: () => void malformed++,
    report() {
      nameAll(tests, later)
      later.clear()
      return { tests, unloaded: [...unloaded].sort(), malformed }
    },
  }
}

/**
 * Names the tests of one id, the worst first. An ordinal may be the name of another test: then it is one more of that
 * name. Shorter names come first, so that each has all of its tests when its turn comes.
 */
function nameAll(tests: Record<string, TestStatus>, later: ReadonlyMap<string, readonly TestStatus[]>): void {
  const added = new Map<string, TestStatus>()
  const waiting = new Map<number, Set<string>>()
  const wait = (id: string) => waiting.set(id.length, (waiting.get(id.length) ?? new Set()).add(id))
  for (const id of later.keys()) wait(id)
  while (waiting.size > 0) {
    const length = Math.min(...waiting.keys())
    const ids = waiting.get(length)!
    waiting.delete(length)
    for (const id of ids) {
      const counts = STATUS_ORDER.map(() => 0)
      const count = (status: TestStatus | undefined) => status && counts[STATUS_ORDER.indexOf(status)]!++
      count(tests[id])
      count(added.get(id))
      // not `forEach`, which counts up to the highest ordinal: a report may name any
      for (const status of Object.values(later.get(id) ?? [])) count(status)
      const prefix = `${id} #`
      let nth = 0
      for (const [at, status] of STATUS_ORDER.entries())
        for (let left = counts[at]!; left > 0; left--) {
          nth++
          const name = nth === 1 ? id : `${prefix}${nth}`
          if (nth === 1 || (tests[name] === undefined && !later.has(name))) tests[name] = status
          else {
            added.set(name, status)
            wait(name)
          }
        }
    }
  }
}

function worse(known: TestStatus | undefined, status: TestStatus): TestStatus {
  if (known === undefined || known === status) return status
  return STATUS_ORDER.indexOf(status) < STATUS_ORDER.indexOf(known) ? status : known
}

/** Which of several equal ids one is, from 1. */
export function ordinals(): (id: string) => number {
  const seen = new Map<string, number>()
  return (id) => {
    const count = (seen.get(id) ?? 0) + 1
    seen.set(id, count)
    return count
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
