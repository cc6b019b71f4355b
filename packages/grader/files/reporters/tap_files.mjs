// Runs a program that prints TAP once for each test file and prints one document, a subtest per file (format tap):
// node tap_files.mjs PROGRAM [ARGUMENT...] -- FILE-OR-PATTERN...
import { spawn } from 'node:child_process'
// Not by name: before Node 22 there is no globSync to import.
import fs from 'node:fs'
import { relative, resolve, sep } from 'node:path'
import { createInterface } from 'node:readline'

const words = process.argv.slice(2)
const end = words.indexOf('--')
const [program, ...options] = words.slice(0, end)
const root = process.env.R2E_ROOT || process.cwd()
const files = [...new Set(words.slice(end + 1).flatMap(matching))]

/** A file stands for itself, whatever its name looks like. */
function matching(pattern) {
  if (fs.existsSync(pattern)) return [pattern]
  if (!fs.globSync) return filesBelow('').filter((path) => patternOf(pattern).test(path))
  return fs.globSync(pattern, { exclude: (name) => name === 'node_modules' || name.includes('/node_modules/') }).sort()
}

function filesBelow(folder) {
  const entries = fs.readdirSync(folder || '.', { withFileTypes: true }).filter(({ name }) => name !== 'node_modules')
  return entries
    .flatMap((entry) => {
      const path = folder ? `${folder}/${entry.name}` : entry.name
      if (entry.isDirectory()) return entry.name.startsWith('.') ? [] : filesBelow(path)
      return entry.isFile() ? [path] : []
    })
    .sort()
}

/** `*` within a part of a path, `**` for any parts, `{a,b}` for one of some. */
function patternOf(pattern) {
  const meant = { '**/': '(?:[^/]+/)*', '**': '.*', '*': '[^/]*', '?': '[^/]', '{': '(?:', '}': ')', ',': '|' }
  const source = pattern
    .replace(/^\.\//, '')
    .replace(/\*\*\/|\*\*|[*?{},.+^$()|[\]\\]/g, (sign) => meant[sign] ?? `\\${sign}`)
  return new RegExp(`^(?:${source})$`)
}

function run(file) {
  return new Promise((done) => {
    const child = spawn(program, [...options, file], { stdio: ['ignore', 'pipe', 'inherit'] })
    child.on('error', (error) => console.error(error))
    createInterface({ input: child.stdout }).on('line', (line) => process.stdout.write(`    ${line}\n`))
    child.on('close', (code) => done(code === 0))
  })
}

process.stdout.write('TAP version 14\n')
for (const [at, file] of files.entries()) {
  const name = nameOf(file)
  process.stdout.write(`# Subtest: ${name}\n`)
  const passed = await run(file)
  if (!passed) process.exitCode = 1
  process.stdout.write(`${passed ? 'ok' : 'not ok'} ${at + 1} - ${name}\n`)
}
process.stdout.write(`1..${files.length}\n`)

/** As ids name it, `#` and `\` escaped. */
function nameOf(file) {
  return relative(root, resolve(file)).replaceAll(sep, '/').replace(/[\\#]/g, '\\$&')
}
