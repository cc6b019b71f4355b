import type { HiddenSource } from '@r2e/spec'
import { readOnce } from '../read-once.ts'
import { jvmMembers } from './syntax.ts'

/**
 * Whether `module::pkg.Class$Inner::method` can come from one of these files: the file lies in the module and declares
 * the outermost class in that package.
 */
export function jvmOwnsTest(files: readonly HiddenSource[], id: string): boolean {
  const [module, classname] = id.split('::', 2)
  if (module === undefined || classname === undefined) return false
  const outermost = classname.split('$', 1)[0]!
  return files.some((file) => isBelow(file.path, module) && typesOf(file).has(outermost))
}

function isBelow(path: string, module: string): boolean {
  return module === '.' || path.startsWith(`${module}/`)
}

const typesOf = readOnce(({ path, text }: HiddenSource): ReadonlySet<string> => {
  const members = jvmMembers(path, text)
  const prefix = members.find(({ kind }) => kind === 'package')?.name
  return new Set(
    members
      .filter(({ kind }) => kind !== undefined && kind !== 'package')
      .map(({ name }) => (prefix === undefined ? name : `${prefix}.${name}`)),
  )
})
