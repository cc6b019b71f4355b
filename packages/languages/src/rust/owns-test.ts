import type { HiddenSource } from '@r2e/spec'
import { rustTestCases } from './test-cases.ts'

/**
 * Whether an id can come from one of these files. A file below `tests/` makes a program, `crate/test:it`, and owns all
 * of it. Any other is a module: the id's path begins with it, then with a test function of the file.
 */
export function rustOwnsTest(files: readonly HiddenSource[], id: string): boolean {
  const at = id.indexOf('::')
  if (at < 0) return false
  const target = id.slice(id.indexOf('/') + 1, at)
  const path = id.slice(at + 2)
  return files.some((file) =>
    target.startsWith('test:') ? makesProgram(file, target.slice(5)) : holds(file, target, path),
  )
}

function makesProgram({ path }: HiddenSource, program: string): boolean {
  const found = /(?:^|\/)tests\/(?:([^/]+)\.rs$|([^/]+)\/)/.exec(path)
  return found !== null && path.endsWith('.rs') && (found[1] ?? found[2]) === program
}

function holds(file: HiddenSource, target: string, path: string): boolean {
  if (target.startsWith('doc:') || !file.path.endsWith('.rs')) return false
  const module = moduleOf(file.path)
  return [...caseNames(file)].some((name) => {
    const whole = module === '' ? name : `${module}::${name}`
    return path === whole || path.startsWith(`${whole}::`)
  })
}

/** `src/a/b.rs` → `a::b`; the roots of crates are no module. */
function moduleOf(path: string): string {
  const parts = path.slice(path.lastIndexOf('src/') + (path.includes('src/') ? 4 : 0), -'.rs'.length).split('/')
  if (parts[0] === 'bin') parts.splice(0, 2)
  if (['mod', 'lib', 'main'].includes(parts.at(-1) ?? '')) parts.pop()
  return parts.join('::')
}

/** Asked once per id of a suite: the names of a file are read once. */
const known = new WeakMap<HiddenSource, ReadonlySet<string>>()

function caseNames(file: HiddenSource): ReadonlySet<string> {
  const names = known.get(file) ?? new Set(rustTestCases(file.path, file.text).map(({ name }) => name))
  known.set(file, names)
  return names
}
