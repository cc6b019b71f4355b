import type { TestStatus } from '@r2e/spec'
import { escapeTitle } from './describe-path.ts'

/** The points of one document, or of one subtest. */
export interface TapLevel {
  readonly points: TapPoint[]
  /** Points seen, and points planned. */
  count: number
  plan: number | undefined
  /** `1..0 # SKIP`. */
  skipped: boolean
  bailedOut: boolean
  /** Title of a subtest that is announced and has not ended. */
  announced: string | undefined
  /** Whether subtests are announced here; else a comment is the heading of what follows, as tape writes it. */
  hasSubtests: boolean
  heading: string
}

export interface TapPoint {
  /** Its title, below the heading it stands under. */
  readonly path: string
  /** undefined: announced and never ended. */
  readonly status: TestStatus | undefined
  readonly level: TapLevel | undefined
  /** node:test says of an empty or skipped suite that it is one. */
  isSuite?: boolean
}

const MAX_DEPTH = 32
/** More is no test run, but a program that prints without end. */
const MAX_POINTS = 1_000_000
const DIRECTIVE = /(?:^| )# *(?:([Ss][Kk][Ii][Pp])|[Tt][Oo][Dd][Oo])/
const SUITE = "type: 'suite'"
const TIME = / # time=[0-9.]+m?s$/

/** Reads a document line by line; what is no TAP is passed over. Nothing for a document of far too many points. */
export function readTap(text: string): TapLevel | undefined {
  const levels = [newLevel()]
  let diagnostics = -1
  let points = 0
  for (let start = 0; start < text.length; ) {
    const newline = text.indexOf('\n', start)
    const end = newline < 0 ? text.length : newline
    const line = text.slice(start, end).replace(/\r$/, '')
    start = end + 1
    const indent = indentOf(line)
    const words = line.slice(indent)
    if (diagnostics >= 0) {
      if (indent === diagnostics && words === '...') diagnostics = -1
      else if (indent === diagnostics && words === SUITE) levels.at(-1)!.points.at(-1)!.isSuite = true
    } else if (words === '---' && indent === 4 * (levels.length - 1) + 2 && levels.at(-1)!.count > 0)
      diagnostics = indent
    else if (indent % 4 === 0 && words !== '' && readLine(levels, indent / 4, words)) points++
    if (points > MAX_POINTS) return undefined
  }
  collapse(levels, 0, true)
  return levels[0]!
}

function newLevel(): TapLevel {
  return {
    points: [],
    count: 0,
    plan: undefined,
    skipped: false,
    bailedOut: false,
    announced: undefined,
    hasSubtests: false,
    heading: '',
  }
}

function indentOf(line: string): number {
  let indent = 0
  while (line[indent] === ' ') indent++
  return indent
}

/** Whether the line is a point. */
function readLine(levels: TapLevel[], depth: number, words: string): boolean {
  const kind = kindOf(words)
  if (kind === undefined || depth >= MAX_DEPTH) return false
  const parent = levels[depth - 1]
  if (depth > levels.length || (depth === levels.length && parent?.announced === undefined)) return false
  if (depth === levels.length) levels.push(newLevel())
  const level = levels[depth]!
  if (kind === 'point') {
    const below = collapse(levels, depth)
    level.points.push(pointOf(level, words, below))
    level.count++
    level.announced = undefined
  } else if (kind === 'subtest') {
    collapse(levels, depth, true)
    level.announced = withoutEscapes(words.slice('# Subtest: '.length))
    level.hasSubtests = true
    level.heading = ''
  } else if (kind === 'plan') {
    collapse(levels, depth, true)
    level.plan = Number(/^1\.\.([0-9]+)/.exec(words)![1])
    level.skipped = level.plan === 0 && DIRECTIVE.exec(words)?.[1] !== undefined
  } else if (kind === 'bail') for (const open of levels) open.bailedOut = true
  else if (!level.hasSubtests && depth === levels.length - 1) readHeading(level, words.slice(2))
  return kind === 'point' || kind === 'heading'
}

function kindOf(words: string): 'point' | 'subtest' | 'plan' | 'bail' | 'heading' | undefined {
  if (/^(?:not )?ok(?: |$)/.test(words)) return 'point'
  if (words.startsWith('# Subtest: ')) return 'subtest'
  if (/^1\.\.[0-9]{1,9}(?: |$)/.test(words)) return 'plan'
  if (words.startsWith('Bail out!')) return 'bail'
  return /^# [^ ]/.test(words) ? 'heading' : undefined
}

/** tape names a skipped test in its heading alone. */
function readHeading(level: TapLevel, title: string): void {
  if (title.startsWith('SKIP '))
    level.points.push({ path: escapeTitle(title.slice(5)), status: 'SKIPPED', level: undefined })
  else level.heading = `${escapeTitle(title.startsWith('TODO ') ? title.slice(5) : title)} > `
}

function pointOf(level: TapLevel, words: string, below: TapLevel | undefined): TapPoint {
  const failed = words.startsWith('not ')
  let rest = words.slice(failed ? 6 : 2).replace(TIME, '')
  const directive = DIRECTIVE.exec(rest)
  if (directive) rest = rest.slice(0, directive.index)
  const [, named = ''] = /^ *(?:[0-9]+(?: +|$))?(?:- |-$)?(.*)$/s.exec(rest) ?? []
  const path = level.heading + escapeTitle(withoutEscapes(named).trim() || '(unnamed)')
  const status = directive?.[1] ? 'SKIPPED' : directive ? (failed ? 'XFAIL' : 'XPASS') : failed ? 'FAILED' : 'PASSED'
  return { path, status, level: below }
}

/** Ends what is open below a depth. The level right below belongs to the point that follows, unless `orphan`. */
function collapse(levels: TapLevel[], depth: number, orphan = false): TapLevel | undefined {
  while (levels.length > depth + 1) {
    const level = levels.pop()!
    const above = levels.at(-1)!
    if (levels.length === depth + 1 && !orphan) return level
    above.points.push({ path: escapeTitle(above.announced ?? '(unnamed)'), status: undefined, level })
    above.announced = undefined
  }
  return undefined
}

function withoutEscapes(text: string): string {
  return text.replace(/\\([#\\])/g, '$1')
}
