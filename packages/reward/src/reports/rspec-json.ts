import type { ParsedReport, TestStatus } from '@r2e/spec'
import { parseObject } from './json.ts'
import { canonicalId, reportBuilder, unreadable } from './report-builder.ts'

/**
 * What RSpec writes with `--format json`: ids are `<file>::<full description>`, the file being the one that runs the
 * example, also where shared examples are written elsewhere. A file that failed to load is unloaded and nothing of it
 * counts (parsers.md X11). RSpec calls skipped and pending examples alike; a pending one that passes failed.
 */
export function parseRspecJson(text: string): ParsedReport {
  const trimmed = text.trim()
  if (trimmed === '') return unreadable('the report is empty')
  const value = parseObject(trimmed)
  if (!value || !Array.isArray(value.examples)) return unreadable('the report is no JSON object that lists examples')
  const report = reportBuilder()
  const unloaded = unloadedScopes(value)
  for (const scope of unloaded) report.unload(scope)
  for (const item of value.examples as readonly unknown[]) {
    const example = readExample(item)
    if (!example) report.malformed()
    else if (unloaded.size === 0 || !unloaded.has(canonicalId(example.file)))
      report.addNext(canonicalId(`${example.file}::${example.description}`), example.status)
  }
  return report.report()
}

interface Example {
  readonly file: string
  readonly description: string
  readonly status: TestStatus
}

const STATUS: ReadonlyMap<unknown, TestStatus> = new Map([
  ['passed', 'PASSED'],
  ['failed', 'FAILED'],
  ['pending', 'SKIPPED'],
])

function readExample(item: unknown): Example | undefined {
  if (typeof item !== 'object' || item === null) return undefined
  const { id, full_description: description, status } = item as Readonly<Record<string, unknown>>
  const known = STATUS.get(status)
  if (typeof id !== 'string' || typeof description !== 'string' || description === '' || !known) return undefined
  const file = plainPath(id.slice(0, Math.max(0, id.lastIndexOf('['))))
  return file === '' ? undefined : { file, description: withoutAddresses(description), status: known }
}

/** Files that did not load, by what RSpec says of them; another error outside of examples stands for the whole run. */
function unloadedScopes({ messages, summary }: Readonly<Record<string, unknown>>): ReadonlySet<string> {
  const count = (summary as Readonly<Record<string, unknown>> | undefined)?.errors_outside_of_examples_count
  if (typeof count !== 'number' || count <= 0) return new Set()
  const texts = Array.isArray(messages) ? messages.filter((text) => typeof text === 'string') : []
  const files = texts.map(loadedFile).filter((file) => file !== '')
  return new Set([...files.map((file) => canonicalId(file)), ...(files.length < count ? [WHOLE_RUN] : [])])
}

const WHOLE_RUN = 'rspec'
/** What RSpec says before and behind the path of a file that raised, has no valid syntax, or would exit. */
const LOADING = /^\s{0,100}(An error occurred while loading |While loading )/
const BEHIND = [' - Did you mean?', ' a `raise SyntaxError`', ' an `exit` / `raise SystemExit`']

function loadedFile(message: string): string {
  const before = LOADING.exec(message)
  if (!before) return ''
  const end = message.indexOf('\n', before[0].length)
  const line = message.slice(before[0].length, end < 0 ? undefined : end)
  const ends = BEHIND.map((text) => line.indexOf(text)).filter((at) => at >= 0)
  return plainPath(line.slice(0, Math.min(line.length, ...ends)).replace(/\.$/, ''))
}

function plainPath(path: string): string {
  return path.startsWith('./') ? path.slice(2) : path
}

/** An example without a title is described by its matcher, which may show an object. */
function withoutAddresses(description: string): string {
  return description.replace(/:0x[0-9a-f]{8,16}(?![0-9a-f])/g, ':0x')
}
