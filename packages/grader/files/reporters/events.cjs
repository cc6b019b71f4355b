// What the reporters of JavaScript runners share: ids, and a file of JSON lines (format events-jsonl).
'use strict'

const { openSync, writeSync } = require('node:fs')
const { relative, resolve, sep } = require('node:path')

// Tested code runs in the same process: what it replaces later is not what is used here.
const { stringify } = JSON
const root = process.env.R2E_ROOT || process.cwd()

/** Each event is one write to the end of the file, so that a crash garbles nothing. */
exports.openEvents = (path) => {
  const handle = openSync(path, 'a', 0o600)
  return (event) => void writeSync(handle, `${stringify(event)}\n`)
}

exports.line = (event) => `${stringify(event)}\n`

/** A file as ids name it: relative to the root of the repository, with `/`. */
exports.scopeOf = (file, project = '') => {
  const path = relative(root, resolve(file)).split(sep).join('/')
  return project === '' ? path : `[${project}] ${path}`
}

exports.testId = (scope, titles) => `${scope}::${titles.map((title) => `${title}`.replaceAll(' > ', ' \\> ')).join(' > ')}`

/** What an event says of a test: its id, and from the second test of that id on, which of them it is. */
exports.numbered = () => {
  const seen = new Map()
  return (id) => {
    const nth = (seen.get(id) || 0) + 1
    seen.set(id, nth)
    return nth === 1 ? { id } : { id, nth }
  }
}
