import type { Recipe, RunCommand, Runner } from '@r2e/spec'
import { argumentPath, chunkArguments } from '../path.ts'
import { readCargoManifest } from './cargo-manifest.ts'
import { manifestFolder } from './workspaces.ts'

/** Seconds for one test program: one that hangs then ends as its own failure, well before the limit of the whole run. */
const programLimit = 300

/** cargo through the grader's driver, which builds every target for itself and runs each program alone. */
export const cargoRunner: Runner = {
  name: 'cargo',
  format: 'libtest-json',
  env: {},
  faults: [1, 2],
  reporters: ['cargo_tests.py'],
  suite: (recipe) =>
    number(
      recipe,
      recipe.suite.map((root) => ({ root, arguments: [] })),
    ),
  files: (recipe, paths) => number(recipe, touched(recipe.suite, paths)),
  select: (recipe, id) => number(recipe, [{ root: rootOf(recipe, id), arguments: [`--id=${id}`] }])[0]!,
}

interface RootRun {
  readonly root: string
  readonly arguments: readonly string[]
}

function number(recipe: Recipe, runs: readonly RootRun[]): RunCommand[] {
  return runs.map(({ root, arguments: chosen }, index) => {
    const report = `${index}.jsonl`
    const driver = ['python3', '-I', '{tests}/reporters/cargo_tests.py', `--out={report}/${report}`]
    const place = root === '.' ? [] : [`--manifest-path=${root}/Cargo.toml`]
    const own = recipe.testCommand ?? ['cargo', 'test', '--workspace']
    return { argv: [...driver, ...place, `--limit=${programLimit}`, ...chosen, '--', ...own], report }
  })
}

/** The driver knows which targets a file belongs to; here only which workspace. */
function touched(roots: readonly string[], paths: readonly string[]): RootRun[] {
  return roots.flatMap((root) => {
    const below = paths.filter((path) => root === '.' || path.startsWith(`${root}/`))
    return chunkArguments(below.map((path) => `--file=${argumentPath(path)}`)).map((chunk) => ({
      root,
      arguments: chunk,
    }))
  })
}

/** The workspace that holds the package of an id, by the manifests of the recipe. */
function rootOf({ files, suite }: Recipe, id: string): string {
  const name = id.split('/', 1)[0]!
  const manifest = files.find(
    ({ path, text }) => path.endsWith('/Cargo.toml') && readCargoManifest(text)?.name === name,
  )
  const path = manifest?.path.slice(manifestFolder.length + 1) ?? ''
  return suite.find((root) => path.startsWith(`${root}/`)) ?? suite[0] ?? '.'
}
