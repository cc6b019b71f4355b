import type { HiddenSource, Recipe } from '@r2e/spec'
import { folderOf, joinPath } from '../path.ts'
import { readOnce } from '../read-once.ts'
import { type CargoManifest, readCargoManifest } from './cargo-manifest.ts'
import { rustTestCases } from './test-cases.ts'
import { manifestFolder } from './workspaces.ts'

/**
 * Whether an id can come from one of these files of its crate. A file below `tests/` owns all of the program that it
 * makes, `crate/test:it`, and of any other what lies in the module of its name. Any other file is a module of the
 * crate: the id's path begins with it, then with a test function of the file.
 */
export function rustOwnsTest(files: readonly HiddenSource[], id: string, recipe?: Recipe): boolean {
  const at = id.indexOf('::')
  if (at < 0) return false
  const slash = id.indexOf('/')
  const target = id.slice(slash + 1, at)
  const path = id.slice(at + 2)
  const crates = recipe ? cratesOf(recipe) : []
  const crate = crates.find(({ name }) => name === id.slice(0, slash))
  return files
    .filter((file) => crate === undefined || crateOf(crates, file.path) === crate)
    .some((file) =>
      target.startsWith('test:')
        ? ownsProgram(file, { program: target.slice(5), path, crate })
        : holds(file, target, path),
    )
}

interface Crate extends CargoManifest {
  readonly folder: string
}

const cratesOf = readOnce(({ files }: Recipe): readonly Crate[] =>
  files.flatMap(({ path, text }) => {
    const manifest = /(?:^|\/)Cargo\.toml$/.test(path) ? readCargoManifest(text) : undefined
    return manifest?.name === undefined
      ? []
      : [{ ...manifest, folder: folderOf(path.slice(manifestFolder.length + 1)) }]
  }),
)

/** The innermost. */
function crateOf(crates: readonly Crate[], path: string): Crate | undefined {
  return crates
    .filter(({ folder }) => folder === '' || path.startsWith(`${folder}/`))
    .sort((a, b) => b.folder.length - a.folder.length)[0]
}

interface ProgramTest {
  readonly program: string
  /** Of the test in its program. */
  readonly path: string
  readonly crate: Crate | undefined
}

function ownsProgram({ path: file }: HiddenSource, { program, path, crate }: ProgramTest): boolean {
  if (!file.endsWith('.rs')) return false
  const own = crate?.testPaths[program]
  if (own !== undefined && file === joinPath(crate!.folder, own)) return true
  const below = /(?:^|\/)tests\/(.+)\.rs$/.exec(file)?.[1]
  if (below === undefined) return false
  const [first = '', ...rest] = below.split('/')
  if (first === program) return true
  const module = [first, ...rest].filter((part) => part !== 'mod').join('::')
  return path.startsWith(`${module}::`)
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

const caseNames = readOnce(
  ({ path, text }: HiddenSource): ReadonlySet<string> => new Set(rustTestCases(path, text).map(({ name }) => name)),
)
