import type { Recipe, RecipeInput } from '@r2e/spec'
import { type Manifests, openManifests } from '../manifests.ts'
import { joinPath } from '../path.ts'
import { type Declared, declaredBy } from './declared.ts'
import { withoutTools } from './developer-tools.ts'
import { djangoRecipe, djangoSite } from './django-recipe.ts'
import { type Attempt, bareInstallation, installation, venv } from './install-steps.ts'
import { constraintsFor, readLockFiles } from './lock-file.ts'
import type { Project } from './project.ts'
import { projectGroups } from './projects.ts'
import { type PytestConfig, readPytestConfig } from './pytest-config.ts'
import { neededPlugins, pytestAddopts } from './pytest-options.ts'
import { pythonVersion } from './python-version.ts'
import { loosen, parseRequirements, type Requirement, uniqueRequirements } from './requirement.ts'
import { pytestSuite, testModules } from './suite.ts'
import { systemPackages } from './system-packages.ts'
import { importedNames, testLibraries } from './test-libraries.ts'
import { versionEnvironment } from './version-from-git.ts'

/** The recipes of each group of projects, in order of promise. */
export async function pythonRecipes(input: RecipeInput): Promise<readonly Recipe[]> {
  const manifests = await openManifests(input.tree)
  const tests = await readTests(manifests)
  const recipes: Recipe[] = []
  for (const projects of await projectGroups(manifests))
    recipes.push(...(await groupRecipes(input, manifests, tests, projects)))
  return recipes
}

/**
 * Recipes in order of promise: what a lock or compiled file froze, what the manifests declare, and the run-time
 * dependencies alone with the projects only linked. A suite of plain unittest cases that needs nothing ends with a recipe
 * without pytest; a Django project that does not speak of pytest begins with Django's own runner.
 */
async function groupRecipes(
  input: RecipeInput,
  manifests: Manifests,
  tests: readonly string[],
  projects: readonly Project[],
): Promise<readonly Recipe[]> {
  const folders = projects.map(({ folder }) => folder)
  const config = await firstConfig(manifests, folders)
  const declared = declaredBy(projects)
  const locks = await readLockFiles(manifests, folders)
  const versionFile = await readVersionFile(manifests)
  const build = buildRequirements(projects)
  const env = await versionEnvironment(build, input)
  const names = [...declared.runtime, ...declared.test].map(({ name }) => name)
  const speaksOfPytest = config !== undefined || names.includes('pytest') || isImported('pytest', tests)
  const namesDjango = projects.some(({ mentioned }) => mentioned.has('django'))
  const site = namesDjango && !speaksOfPytest ? djangoSite(manifests) : undefined
  const framework = site ? ['django'] : []
  const extra = parseRequirements([...framework, 'pytest', ...neededPlugins(config), ...testLibraries(tests)])
  const base: Omit<Recipe, 'dependencies' | 'files' | 'project'> = {
    schema: 'r2e.recipe/1',
    language: 'python',
    baseImage: `python:${pythonVersion(
      projects.map(({ facts }) => facts),
      versionFile,
    )}-slim`,
    system: systemPackages(
      names,
      manifests.paths.some((path) => path.endsWith('.pyx')) ||
        folders.some((folder) => hasExtensions(manifests, folder)),
    ),
    env: { VIRTUAL_ENV: venv, PATH: `${venv}/bin:\${PATH}`, ...env },
    setup: [],
    runner: 'pytest',
    suite: pytestSuite(manifests, config),
    testEnv: { PYTEST_ADDOPTS: pytestAddopts(config) },
    manifests: manifests.used(),
    origin: originOf(
      manifests,
      config?.file,
      locks.map(({ path }) => path),
    ),
  }
  const recipes = attempts(declared, build, extra, (all) => constraintsFor(locks, all)).map((attempt) => ({
    ...base,
    ...installation(attempt, projects),
  }))
  if (site !== undefined) return [...recipes.map((recipe) => djangoRecipe(recipe, site)), ...recipes]
  if (declared.runtime.length > 0 || !isPlainUnittest(tests)) return recipes
  const suite = testModules(manifests.paths)
  return [...recipes, { ...base, runner: 'unittest', suite, testEnv: {}, ...bareInstallation(projects) }]
}

type Constrain = (requirements: readonly Requirement[]) => readonly Requirement[]

function attempts(
  declared: Declared,
  build: readonly Requirement[],
  extra: readonly Requirement[],
  constrain: Constrain,
): Attempt[] {
  const wanted = withMissing([...declared.runtime, ...declared.test, ...build], extra)
  const frozen = [...constrain(wanted), ...declared.constraints]
  const loose = withMissing(
    [...declared.runtime.map(loosen), ...withoutTools(declared.test).map(loosen), ...build],
    extra,
  )
  const minimal = withMissing(declared.runtime.map(loosen), extra)
  const install = declared.projects.some(({ backend }) => backend !== undefined)
  const all: Attempt[] = [
    { requirements: wanted, constraints: frozen, install },
    { requirements: loose, constraints: [], install },
    { requirements: minimal, constraints: [], install: false },
  ]
  return [...new Map(all.map((attempt) => [JSON.stringify(attempt), attempt])).values()]
}

function withMissing(requirements: readonly Requirement[], extra: readonly Requirement[]): Requirement[] {
  const named = new Set(requirements.map(({ name }) => name))
  return uniqueRequirements([...requirements, ...extra.filter(({ name }) => !named.has(name))])
}

/** What an offline, unisolated editable build needs beforehand. */
function buildRequirements(projects: readonly Project[]): Requirement[] {
  const packages = projects.filter(({ backend }) => backend !== undefined)
  if (packages.length === 0) return []
  const written = packages.flatMap(({ facts }) => facts.build)
  const names = new Set(written.map(({ name }) => name))
  const setuptools = packages.filter(({ backend }) => backend === 'setuptools')
  const missing = [
    // What old setup.py files use left setuptools bit by bit, and later ones need a newer `packaging` than old pins give.
    ...(names.has('setuptools') || setuptools.length === 0
      ? []
      : [setuptools.every(({ modern }) => modern) ? 'setuptools<81' : 'setuptools<70']),
    ...(names.has('hatchling') || names.has('pdm-backend') ? ['editables'] : []),
    'wheel',
  ]
  return uniqueRequirements([...written, ...parseRequirements(missing.filter((text) => !names.has(text)))])
}

async function firstConfig(manifests: Manifests, folders: readonly string[]): Promise<PytestConfig | undefined> {
  for (const folder of new Set(['', ...folders])) {
    const config = await readPytestConfig(manifests, folder)
    if (config !== undefined) return config
  }
  return undefined
}

async function readVersionFile(manifests: Manifests): Promise<string | undefined> {
  const text = (await manifests.read('.python-version')) ?? (await manifests.read('runtime.txt'))
  if (text !== undefined) return text
  return /^python\s+(\S+)/m.exec((await manifests.read('.tool-versions')) ?? '')?.[1]
}

/** At most this much test code is looked at for libraries. */
const mostTests = 400

async function readTests(manifests: Manifests): Promise<readonly string[]> {
  const conftests = manifests.paths.filter((path) => path.endsWith('/conftest.py') || path === 'conftest.py')
  return [...(await manifests.peek([...conftests, ...testModules(manifests.paths).slice(0, mostTests)])).values()]
}

function hasExtensions(manifests: Manifests, folder: string): boolean {
  const setup = joinPath(folder, 'setup.py')!
  return (
    manifests.has(setup) &&
    manifests.paths.some((path) => /\.(c|cc|cpp|f90)$/.test(path) && !/(^|\/)(tests?|docs?)\//.test(path))
  )
}

function isPlainUnittest(tests: readonly string[]): boolean {
  return isImported('unittest', tests) && !isImported('pytest', tests)
}

function isImported(name: string, tests: readonly string[]): boolean {
  return tests.some((text) => text.split('\n').some((line) => importedNames(line).includes(name)))
}

function originOf(manifests: Manifests, config: string | undefined, locks: readonly string[]): Recipe['origin'] {
  const facts: Record<string, string> = {
    ...(config && { [config]: 'pytest configuration' }),
    ...Object.fromEntries(locks.map((lock) => [lock, 'locked versions'])),
  }
  return manifests.used().map((file) => ({ file, fact: facts[file] ?? 'dependencies' }))
}
