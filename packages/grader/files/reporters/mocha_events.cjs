// Reporter of mocha, one JSON line per event (format events-jsonl), and loader of its test files:
// mocha --require FILE --reporter FILE --reporter-option output=REPORT
'use strict'

const { createRequire } = require('node:module')
const { join } = require('node:path')
const { numbered, openEvents, scopeOf, testId } = require('./events.cjs')

const output = process.argv.map((word) => /^(?:--reporter-option=)?output=(.+)$/.exec(word)).find(Boolean)
const write = output ? openEvents(output[1]) : () => {}

const found = createRequire(join(process.cwd(), 'package.json'))('mocha')
isolateFiles((found.default || found).prototype)

/** mocha loads every file before the first test and ends at the first that fails: here the others go on without it. */
function isolateFiles(mocha) {
  const { loadFiles, loadFilesAsync } = mocha
  mocha.loadFiles = function (...rest) {
    eachFile(this, (file) => {
      const undo = remember(this.suite)
      try {
        loadFiles.apply(this, rest)
      } catch (error) {
        leaveOut(file, error, undo)
      }
    })
  }
  if (!loadFilesAsync) return
  mocha.loadFilesAsync = async function (...rest) {
    await eachFile(this, async (file) => {
      const undo = remember(this.suite)
      try {
        await loadFilesAsync.apply(this, rest)
      } catch (error) {
        leaveOut(file, error, undo)
      }
    })
  }
}

/** Calls `load` for one file after the other, each time with that file as the only one. */
function eachFile(mocha, load) {
  const { files } = mocha
  for (const file of files) write({ event: 'module', scope: scopeOf(file) })
  const step = (at) => {
    mocha.files = at < files.length ? [files[at]] : files
    if (at === files.length) return undefined
    const loading = load(files[at])
    return loading ? loading.then(() => step(at + 1)) : step(at + 1)
  }
  return step(0)
}

const lists = ['suites', 'tests', '_beforeAll', '_beforeEach', '_afterAll', '_afterEach']

/** What a file that fails half-way has added to the root suite is taken back. */
function remember(suite) {
  const counts = lists.map((name) => suite[name].length)
  return () => lists.forEach((name, at) => suite[name].splice(counts[at]))
}

function leaveOut(file, error, undo) {
  undo()
  console.error(error)
  write({ event: 'unloaded', scope: scopeOf(file) })
}

module.exports = function EventReporter(runner) {
  const ids = new Map()
  const ended = new Set()
  const retried = new Set()
  const unique = numbered()
  const idOf = (test) => {
    const own = ids.get(test) || (test._retriedTest && ids.get(test._retriedTest))
    if (own) return own
    const made = unique(testId(scopeOf(test.file || ''), titlesOf(test)))
    ids.set(test, made)
    return made
  }
  const end = (test, status) => {
    ended.add(idOf(test))
    write({ event: 'end', ...idOf(test), status })
  }
  let broken = false

  // Ordinals follow the order of the files' text, whatever order the tests end in.
  testsOf(runner.suite).forEach(idOf)
  runner.on('test', (test) => write({ event: 'start', ...idOf(test) }))
  runner.on('pending', (test) => end(test, 'SKIPPED'))
  runner.on('pass', (test) => end(test, 'PASSED'))
  // The first attempt counts: the worst of equal ids is kept.
  runner.on('retry', (test) => {
    if (!retried.has(idOf(test))) end(test, 'FAILED')
    retried.add(idOf(test))
  })
  runner.on('fail', (test) => {
    if (test.type !== 'hook') return end(test, 'FAILED')
    broken = true
    const current = test.ctx && test.ctx.currentTest
    if (current && /^"(?:before|after) each"/.test(test.title)) end(current, 'ERROR')
    else write({ event: 'unloaded', scope: scopeOf(test.file || test.parent.file || '') })
  })
  runner.on('end', () => {
    const missed = testsOf(runner.suite).filter((test) => broken && !ended.has(idOf(test)))
    for (const scope of new Set(missed.map(({ file }) => scopeOf(file || '')))) write({ event: 'unloaded', scope })
    write({ event: 'done' })
  })
}

function testsOf(suite) {
  return [...suite.tests, ...suite.suites.flatMap(testsOf)]
}

function titlesOf(test) {
  const titles = []
  for (let level = test; level && !level.root; level = level.parent) titles.unshift(level.title)
  return titles
}
