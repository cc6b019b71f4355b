import type { Recipe, RecipeFile, RecipeInput, RecipeStep } from '@r2e/spec'
import { type Manifests, openManifests } from '../manifests.ts'
import { joinPath } from '../path.ts'
import { linkModules } from './link-modules.ts'
import { nodeMajor } from './node-version.ts'
import { installManifest, record } from './package-json.ts'
import {
  findManager,
  installSteps,
  managerSettings,
  modulesFolder,
  type PackageManager,
  toolFiles,
} from './package-manager.ts'
import { isTestModule } from './roles.ts'
import { type PackageSuite, packageSuite } from './suite.ts'
import { formatWorkload } from './workload.ts'
import { type Package, readPackages } from './workspaces.ts'

interface Attempt {
  readonly frozen: boolean
  /** Date of the newest package that may be taken. */
  readonly before: string | undefined
}

/**
 * Recipes in order of promise: what the lock file froze; what the manifests ask for, as it was when the commit was made;
 * the same as it is today. Manifests and locks alone are copied, scripts of the project left out.
 */
export async function javascriptRecipes(input: RecipeInput): Promise<readonly Recipe[]> {
  const manifests = await openManifests(input.tree)
  const packages = await readPackages(manifests)
  const root = packages[0]
  if (root === undefined) return []
  const suites = chooseSuites(await packageSuites(manifests, packages))
  if (suites.length === 0) return []
  const manager = await findManager(manifests, root.manifest)
  const major = await imageMajor(manifests, root)
  const runner = suites[0]!.runner
  const before = await monthAfter(input)
  const attempts: Attempt[] = [
    ...(manager.lock === undefined || manager.lock === 'bun.lockb' ? [] : [{ frozen: true, before: undefined }]),
    ...(manager.name === 'npm' && before !== undefined ? [{ frozen: false, before }] : []),
    { frozen: false, before: undefined },
  ]
  const made = attempts.map(
    async (attempt): Promise<Recipe> => ({
      schema: 'r2e.recipe/1',
      language: 'javascript',
      baseImage: manager.name === 'bun' || runner === 'bun' ? 'oven/bun:1' : `node:${major}`,
      system: [],
      // Last, so that no package takes the place of a program of the image.
      env: { PATH: `\${PATH}:/app/node_modules/.bin:/r2e/tools/node_modules/.bin` },
      files: await recipeFiles({ manifests, packages, manager, attempt }),
      dependencies: [
        ...installSteps(manager, attempt.frozen),
        ...patchStep(manifests, root),
        { run: 'node /r2e/link_modules.cjs prepare', network: false },
      ],
      setup: [],
      project: [{ run: 'node /r2e/link_modules.cjs link', network: false }, ...buildStep(packages)],
      runner,
      suite: suites.flatMap(({ workloads }) => workloads.map(formatWorkload)),
      testEnv: Object.assign({}, ...suites.map(({ env }) => env)),
      manifests: manifests.used(),
      origin: originOf(manifests, manager, suites, packages),
    }),
  )
  return Promise.all(made)
}

interface FoundSuite extends PackageSuite {
  readonly folder: string
}

/** The root's own suite; where its script only calls those of the members, theirs. */
async function packageSuites(manifests: Manifests, packages: readonly Package[]): Promise<FoundSuite[]> {
  const tests = manifests.paths.filter(isTestModule)
  const texts = await manifests.peek(tests.slice(0, mostTests))
  const suiteOf = ({ folder, manifest }: Package): FoundSuite | undefined => {
    const below = folder === '' ? tests : tests.filter((path) => path.startsWith(`${folder}/`))
    if (below.length === 0) return undefined
    const imports = (module: string) => below.some((path) => texts.get(path)?.includes(module) ?? false)
    const files = () => filesBelow(manifests.paths, folder)
    const suite = packageSuite({ manifest, folder, imports, files })
    return suite && { ...suite, folder }
  }
  const root = suiteOf(packages[0]!)
  if (root && (packages.length === 1 || root.fact.includes('script'))) return [root]
  const members = packages.slice(1).flatMap((item) => suiteOf(item) ?? [])
  return members.length > 0 ? members : root ? [root] : []
}

const mostTests = 400

function filesBelow(paths: readonly string[], folder: string): string[] {
  const start = folder === '' ? '' : `${folder}/`
  return paths
    .filter((path) => path.startsWith(start) && !/(?:^|\/)node_modules\//.test(path))
    .map((path) => path.slice(start.length))
}

/** One runner for all: the one that most packages use. */
function chooseSuites(suites: readonly FoundSuite[]): FoundSuite[] {
  const counts = new Map<string, number>()
  for (const { runner } of suites) counts.set(runner, (counts.get(runner) ?? 0) + 1)
  const [most] = [...counts].sort((a, b) => b[1] - a[1])[0] ?? []
  return suites.filter(({ runner }) => runner === most)
}

async function imageMajor(manifests: Manifests, { manifest }: Package): Promise<number> {
  const tools = /^nodejs\s+(\S+)/m.exec((await manifests.read('.tool-versions')) ?? '')?.[1]
  const volta = record(manifest.fields.volta).node
  const pins = [await manifests.read('.nvmrc'), await manifests.read('.node-version'), tools, String(volta ?? '')]
  return nodeMajor(pins, record(manifest.fields.engines).node)
}

/** The first day of the month after the commit: commits of one month share what is installed. */
async function monthAfter({ repository, tree }: RecipeInput): Promise<string | undefined> {
  const { committedAt } = await repository.commit(tree.commit)
  const date = new Date(committedAt)
  if (Number.isNaN(date.getTime())) return undefined
  return new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 1)).toISOString()
}

interface FilesInput {
  readonly manifests: Manifests
  readonly packages: readonly Package[]
  readonly manager: PackageManager
  readonly attempt: Attempt
}

const copied = /^(?:pnpm-workspace\.yaml|\.pnpmfile\.cjs|(?:\.yarn\/)?patches\/[^\n\r]+\.patch)$/

async function recipeFiles({ manifests, packages, manager, attempt }: FilesInput): Promise<RecipeFile[]> {
  const verbatim = manifests.paths.filter((path) => copied.test(path))
  const wanted = attempt.frozen && manager.lock !== undefined ? [...verbatim, manager.lock] : verbatim
  const texts = await Promise.all(wanted.map(async (path) => ({ path, text: (await manifests.read(path)) ?? '' })))
  return [
    ...packages.map(({ folder, manifest }) => ({
      path: `${modulesFolder}/${joinPath(folder, 'package.json')}`,
      text: installManifest(manifest),
    })),
    ...texts.map(({ path, text }) => ({ path: `${modulesFolder}/${path}`, text })),
    ...managerSettings(await manifests.read('.npmrc'), manager, attempt.before),
    ...toolFiles(manager),
    { path: 'packages', text: packages.map(({ folder }) => `${folder || '.'}\n`).join('') },
    { path: 'link_modules.cjs', text: linkModules },
  ]
}

/** patch-package is called by a script of the project, and those do not run before its source is there. */
function patchStep(manifests: Manifests, { manifest }: Package): RecipeStep[] {
  const patches = manifests.paths.some((path) => /^patches\/.+\.patch$/.test(path))
  if (!patches || !manifest.dependencies.has('patch-package')) return []
  return [{ run: `cd /r2e/${modulesFolder} && node_modules/.bin/patch-package`, network: false, optional: true }]
}

/** Members of a workspace load each other's build. */
function buildStep(packages: readonly Package[]): RecipeStep[] {
  if (packages.length === 1 || !Object.hasOwn(packages[0]!.manifest.scripts, 'build')) return []
  return [{ run: 'npm run build', network: false, optional: true }]
}

function originOf(
  manifests: Manifests,
  manager: PackageManager,
  suites: readonly FoundSuite[],
  packages: readonly Package[],
): Recipe['origin'] {
  const facts = new Map(suites.map(({ folder, fact }) => [joinPath(folder, 'package.json'), fact]))
  const left =
    packages.length > 1 && suites.length < packages.length - 1 ? '; members with another runner are left out' : ''
  return manifests.used().map((file) => ({
    file,
    fact: file === manager.lock ? 'locked versions' : facts.has(file) ? `${facts.get(file)}${left}` : 'dependencies',
  }))
}
