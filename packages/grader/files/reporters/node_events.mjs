// Reporter of node:test, one JSON line per event (format events-jsonl):
// node --test --test-reporter=FILE --test-reporter-destination=REPORT
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'

const { line, numbered, scopeOf, testId } = createRequire(import.meta.url)('./events.cjs')

/**
 * Events of one file come together and in the order of its text, so that the levels above a test are those that started
 * last. A suite ends after its tests: those that it cancelled wait for its word why.
 */
export default async function* nodeEvents(source) {
  const unique = numbered()
  const waiting = new Map() // tests at the first level of a file that have been announced and not told of
  const known = new Set()
  let levels = []
  for await (const { type, data } of source) {
    count(waiting, type, data)
    if (type !== 'test:start' && type !== 'test:pass' && type !== 'test:fail') continue
    const scope = scopeOf(data.file ?? data.name)
    if (!known.has(scope)) yield line({ event: 'module', scope })
    known.add(scope)
    if (type === 'test:start') {
      levels = levels.slice(0, data.nesting)
      const parent = levels.at(-1)
      if (parent) parent.hasTests = true
      levels.push({ name: data.name, hasTests: false, cancelled: [] })
      continue
    }
    const failure = type === 'test:fail' ? (data.details.error?.failureType ?? 'unknown') : undefined
    const own = levels[data.nesting] ?? { hasTests: false, cancelled: [] }
    if (failure !== 'hookFailed')
      for (const test of own.cancelled) yield line({ event: 'end', ...test, status: 'ERROR' })
    if (isFile(data)) {
      const broken = failure ? failure !== 'subtestsFailed' : definesTests(data.file ?? data.name)
      if (broken) yield line({ event: 'unloaded', scope: scopeOf(data.name) })
    } else if (data.details.type === 'suite') {
      if (failure && failure !== 'subtestsFailed') yield line({ event: 'unloaded', scope })
    } else if (!own.hasTests || (failure && failure !== 'subtestsFailed')) {
      const above = levels.slice(0, data.nesting)
      const test = unique(testId(scope, [...above.map(({ name }) => name), data.name]))
      if (failure === 'cancelledByParent' && above.length > 0) above.at(-1).cancelled.push(test)
      else yield line({ event: 'end', ...test, status: statusOf(failure, data) })
    }
  }
  for (const [scope, tests] of waiting) if (tests > 0) yield line({ event: 'unloaded', scope })
  yield line({ event: 'done' })
}

/** A process that exits with 0 inside a test leaves without a word. */
function count(waiting, type, data) {
  const change = { 'test:enqueue': 1, 'test:pass': -1, 'test:fail': -1 }[type]
  if (!change || data.nesting !== 0 || isFile(data)) return
  const scope = scopeOf(data.file)
  waiting.set(scope, (waiting.get(scope) ?? 0) + change)
}

/** Whether a file that passed without any test should have had some: one that only helps others calls no test. */
function definesTests(file) {
  try {
    const text = readFileSync(file, 'utf8')
    return text.includes('node:test') && /\b(?:test|it|describe|suite)(?:\.\w+)*\s*\(/.test(text)
  } catch {
    return false
  }
}

/** A file without tests, or one that failed as a whole, is reported as a test of its own name. */
function isFile({ file, name, nesting }) {
  return nesting === 0 && (file === undefined || scopeOf(name) === scopeOf(file))
}

function statusOf(failure, { skip, todo }) {
  if (skip !== undefined && skip !== false) return 'SKIPPED'
  if (todo !== undefined && todo !== false) return failure ? 'XFAIL' : 'XPASS'
  if (failure === 'hookFailed') return 'ERROR'
  return failure ? 'FAILED' : 'PASSED'
}
