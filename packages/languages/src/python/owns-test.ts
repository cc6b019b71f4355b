import type { HiddenSource } from '@r2e/spec'

/**
 * Whether an id can come from one of these files: pytest ids (`tests/test_a.py::…`) name the file; unittest ids
 * (`pkg.tests.test_a.Case.test_m`) name its module, seen from some folder above it.
 */
export function pythonOwnsTest(files: readonly HiddenSource[], id: string): boolean {
  const at = id.indexOf('::')
  const scope = at < 0 ? id : id.slice(0, at)
  return files.some(({ path }) => path === scope || (at < 0 && path.endsWith('.py') && ownsDotted(path, id)))
}

function ownsDotted(path: string, id: string): boolean {
  const parts = path.slice(0, -'.py'.length).split('/')
  if (parts.at(-1) === '__init__') parts.pop()
  return parts.some((_, from) => {
    const module = parts.slice(from).join('.')
    return id === module || id.startsWith(`${module}.`)
  })
}
