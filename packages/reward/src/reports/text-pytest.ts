import type { ParsedReport, TestStatus } from '@r2e/spec'
import { canonicalId, reportBuilder } from './report-builder.ts'

/**
 * The console log of pytest (`-rA`, better with `-v`): the last resort where no report can be had, since tested code
 * can print what it likes. Results are read in the session part (`id STATUS [ 50%]`, with or without a worker label)
 * and in the short summary (`STATUS id - reason`); captured output in between is not read. A line is a result only if
 * all of it fits; of a summary line the reason is cut where a ` - ` stands outside brackets.
 */
export function parsePytestText(text: string): ParsedReport {
  const report = reportBuilder()
  /** Ids of the session. Most logs have no summary that asks for them: they become a set only then. */
  const named: string[] = []
  const known = new Set<string>()
  let part: Part = 'session'
  for (const raw of text.split('\n')) {
    const line = plainLine(raw)
    const title = line.startsWith('===') && /^={3,} (.+?) ={3,}$/s.exec(line)
    if (title) part = partOf(title[1]!)
    else if (part === 'session') sessionLine(line)
    else if (part === 'summary') summaryLine(line)
  }
  return report.report()

  function sessionLine(line: string): void {
    const worker = /^(?:\[gw\d+\] )?(?:\[ *\d{1,3}%\] )?([A-Z]+) (.+)$/s.exec(line)
    const plain = line.replace(/(?<! ) +\[ *\d{1,3}%\]$/, '')
    const tail = /^(.+) ([A-Z]+)(?: \([^()]*\))?$/s.exec(plain)
    if (worker && line.startsWith('[')) result(worker[1]!, worker[2]!)
    else if (tail) result(tail[2]!, tail[1]!)
  }

  function result(word: string, id: string): void {
    const status = STATUS[word]
    if (!status || !isNodeId(id)) return
    named.push(id)
    report.add(canonicalId(id), status)
  }

  function summaryLine(line: string): void {
    const match =
      /^(PASSED|FAILED|ERROR|XFAIL|XPASS|SUBFAIL(?:ED)?)(?:\([^)]*\)|\[[^\]]*\] \([^)]*\)|\[[^\]]*\])? (.+)$/s.exec(
        line,
      )
    if (!match) {
      if (/^(?:PASSED|FAILED|ERROR|XFAIL|XPASS)\b/.test(line)) report.malformed()
      return
    }
    const [, word = '', rest = ''] = match
    for (const name of named.splice(0)) known.add(name)
    const id = idOf(rest, known)
    if (isNodeId(id)) report.add(canonicalId(id), word.startsWith('SUBFAIL') ? 'FAILED' : STATUS[word]!)
    else if (word === 'ERROR' && /^[^:]+\.py$/.test(id)) report.unload(canonicalId(id))
    else report.malformed()
  }
}

/** Without escape sequences, CR and blanks at the end. */
function plainLine(raw: string): string {
  const line = /[\x1b\r]/.test(raw) ? raw.replace(/\x1b\[[0-9;?]*[ -/]*[@-~]/g, '').replaceAll('\r', '') : raw
  return line.endsWith(' ') ? line.replace(/(?<! ) +$/, '') : line
}

type Part = 'session' | 'summary' | 'other'

const STATUS: Readonly<Record<string, TestStatus>> = Object.assign(Object.create(null), {
  PASSED: 'PASSED',
  FAILED: 'FAILED',
  ERROR: 'ERROR',
  SKIPPED: 'SKIPPED',
  XFAIL: 'XFAIL',
  XPASS: 'XPASS',
})

function partOf(title: string): Part {
  if (title === 'test session starts') return 'session'
  return title === 'short test summary info' ? 'summary' : 'other'
}

/** `path::name`, `path::Class::name[parameters]`: blanks in the path and in the brackets only. */
function isNodeId(id: string): boolean {
  const scope = id.indexOf('::')
  const open = id.indexOf('[', scope)
  if (scope <= 0 || (open >= 0 && !id.endsWith(']'))) return false
  const name = open < 0 ? id.slice(scope + 2) : id.slice(scope + 2, open)
  // not as one pattern of repeated parts: on names of megabytes it runs out of stack
  return name !== '' && !/[\s[\]]|^:|:$|:::|(?<!:):(?!:)/.test(name) && !/^\s/.test(id)
}

/** The id of a summary line: one that the session named, else up to the first ` - ` outside brackets. */
function idOf(rest: string, known: ReadonlySet<string>): string {
  if (known.has(rest)) return rest
  let depth = 0
  let outside = -1
  let tried = 0
  for (let at = rest.indexOf(' - '), from = 0; at >= 0 && tried < 100; at = rest.indexOf(' - ', at + 1), tried++) {
    for (; from < at; from++) depth += rest[from] === '[' ? 1 : rest[from] === ']' ? -1 : 0
    if (known.has(rest.slice(0, at))) return rest.slice(0, at)
    if (depth <= 0 && outside < 0) outside = at
  }
  return outside < 0 ? rest : rest.slice(0, outside)
}
