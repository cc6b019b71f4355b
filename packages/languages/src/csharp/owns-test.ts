import type { HiddenSource } from '@r2e/spec'
import { readOnce } from '../read-once.ts'
import { csharpTypes } from './syntax.ts'

/**
 * Whether `project::Ns.Class.Method(row)` can come from one of these files: the file lies in the project and declares
 * the outermost class in that namespace.
 */
export function csharpOwnsTest(files: readonly HiddenSource[], id: string): boolean {
  const at = id.indexOf('::')
  if (at < 0) return false
  const project = id.slice(0, at)
  const test = id.slice(at + 2)
  return files.some(
    (file) =>
      (project === '.' || file.path.startsWith(`${project}/`)) && typesOf(file).some((name) => isOf(name, test)),
  )
}

function isOf(type: string, test: string): boolean {
  return test.startsWith(type) && /^[.+`<(]/.test(test.slice(type.length))
}

const typesOf = readOnce(({ path, text }: HiddenSource): readonly string[] => {
  if (!path.endsWith('.cs')) return []
  return csharpTypes(text).map(({ namespace, type }) => (namespace === '' ? type.name : `${namespace}.${type.name}`))
})
