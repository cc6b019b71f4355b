/**
 * Script that makes the packages below /r2e/node usable from /app: `prepare` turns the links to members of the workspace,
 * of which only manifests are there, to the work tree, and shows each member the programs of the root; `link` puts a link
 * to node_modules into every package of the work tree and keeps it out of git's sight.
 */
export const linkModules = `'use strict'
const fs = require('fs')
const path = require('path')
const [from, to] = ['/r2e/node', '/app']
const folders = fs.readFileSync('/r2e/packages', 'utf8').split('\\n').filter(Boolean)
const exists = (file) => { try { fs.lstatSync(file); return true } catch { return false } }
const entries = (folder) => { try { return fs.readdirSync(folder) } catch { return [] } }

function retarget(modules, members) {
  for (const name of entries(modules)) {
    const entry = path.join(modules, name)
    if (name.startsWith('@')) { retarget(entry, members); continue }
    if (!fs.lstatSync(entry).isSymbolicLink()) continue
    let real
    try { real = fs.realpathSync(entry) } catch { continue }
    if (!members.has(real)) continue
    fs.unlinkSync(entry)
    fs.symlinkSync(members.get(real), entry)
  }
}

function prepare() {
  const members = new Map(folders.map((folder) => [path.join(from, folder), path.join(to, folder)]))
  const programs = path.join(from, 'node_modules/.bin')
  for (const folder of folders) {
    const modules = path.join(from, folder, 'node_modules')
    retarget(modules, members)
    if (folder === '.') { retarget(path.join(modules, '.pnpm/node_modules'), members); continue }
    fs.mkdirSync(path.join(modules, '.bin'), { recursive: true })
    for (const name of entries(programs)) {
      const own = path.join(modules, '.bin', name)
      if (exists(own)) continue
      fs.writeFileSync(own, '#!/bin/sh\\nexec "' + path.join(programs, name) + '" "$@"\\n', { mode: 0o755 })
    }
  }
}

function link() {
  for (const folder of folders) {
    const target = path.join(from, folder, 'node_modules')
    const place = path.join(to, folder, 'node_modules')
    if (exists(target) && exists(path.dirname(place)) && !exists(place)) fs.symlinkSync(target, place)
  }
  fs.mkdirSync(path.join(to, '.git/info'), { recursive: true })
  fs.appendFileSync(path.join(to, '.git/info/exclude'), 'node_modules\\n')
}

if (require('process').argv[2] === 'prepare') prepare()
else link()
`
