/**
 * Whether a file, folder, module, class or package holds a test: `a.py` holds `a.py::t`, `pkg.mod` holds
 * `pkg.mod.Case.test`, `suite::outer` holds `suite::outer > inner`, a class of the JVM its nested ones. A folder holds
 * the files below it; a Go package or a module does not hold those below it. The doc tests of a crate, `crate/doc`, hold
 * those of its files, `crate/doc:src/lib.rs::f`. `.` is the whole project.
 */
export function isScopeOf(scope: string, id: string): boolean {
  if (scope === '.') return true
  if (!id.startsWith(scope)) return false
  const rest = id.slice(scope.length)
  if (rest.startsWith('/')) return FILE.test(id.split('::', 1)[0]!.split('/').at(-1)!)
  if (scope.endsWith('/doc') && rest.startsWith(':')) return true
  if (rest.startsWith('$')) return scope.includes('::')
  // A dot parts classes; in the name of a module, project or package it parts nothing.
  if (rest.startsWith('.')) return scope.includes('::') || !id.includes('::')
  return rest === '' || rest.startsWith('::') || rest.startsWith(' > ')
}

/** The scopes that may hold a test: its file or module and what is named below it, or each dotted prefix. */
export function scopesOf(id: string): string[] {
  const levels = id.split('::').slice(0, -1)
  if (levels.length > 0) return levels.map((_, at) => levels.slice(0, at + 1).join('::'))
  const parts = id.split('.')
  return parts.slice(1).map((_, at) => parts.slice(0, at + 1).join('.'))
}

/** The folders of a test's scope, outermost first: of its file, its dotted module, or its package path. */
export function foldersOf(id: string): string[] {
  const end = id.indexOf('::')
  if (end < 0) return id.split('.').slice(0, -3)
  const parts = id.slice(0, end).split('/')
  return FILE.test(parts.at(-1)!) ? parts.slice(0, -1) : parts
}

/** A name with an extension; the last part of a Go import path may look like one only as a version (`yaml.v3`). */
const FILE = /\.(?!v[0-9]+$)[A-Za-z0-9]+$/
