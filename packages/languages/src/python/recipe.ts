import type { Recipe, RecipeFile, RecipeInput, RecipeStep } from '@r2e/spec'
import { type Manifests, openManifests } from '../manifests.ts'
import { folderOf, joinPath, shallowFirst } from '../path.ts'
import { type Declared, readDeclared } from './declared.ts'
import { withoutTools } from './developer-tools.ts'
import { djangoRecipe, djangoSite } from './django-recipe.ts'
import { constraintsFor, readLockFile } from './lock-file.ts'
import { readPytestConfig } from './pytest-config.ts'
import { neededPlugins, pytestAddopts } from './pytest-options.ts'
import { pythonVersion } from './python-version.ts'
import { formatRequirement, loosen, parseRequirements, type Requirement, uniqueRequirements } from './requirement.ts'
import { linkProject, makeVenv } from './scripts.ts'
import { pytestSuite, testModules } from './suite.ts'
import { systemPackages } from './system-packages.ts'
import { importedNames, testLibraries } from './test-libraries.ts'
import { versionEnvironment } from './version-from-git.ts'

const venv = '/opt/venv'
const python = `${venv}/bin/python`
const pip = `${python} -m pip --no-input --disable-pip-version-check install --root-user-action=ignore --no-cache-dir`

/** One way to fill the environment. */
interface Attempt {
  readonly requirements: readonly Requirement[]
  readonly constraints: readonly Requirement[]
  readonly install: boolean
}

/**
 * Recipes in order of promise: what a lock or compiled file froze, what the manifests declare, and the run-time
 * dependencies alone with the project only linked. A suite of plain unittest cases that needs nothing ends with a recipe
 * without pytest; a Django project that does not speak of pytest begins with Django's own runner.
 */
export async function pythonRecipes(input: RecipeInput): Promise<readonly Recipe[]> {
  const manifests = await openManifests(input.tree)
  const folder = projectFolder(manifests)
  const config = (await readPytestConfig(manifests, '')) ?? (await readPytestConfig(manifests, folder))
  const declared = await readDeclared(manifests, folder)
  const lock = (await readLockFile(manifests, folder)) ?? (await readLockFile(manifests, ''))
  const versionFile = await readVersionFile(manifests)
  const tests = await readTests(manifests)
  const build = buildRequirements(declared)
  const env = await versionEnvironment(build, input)
  const names = [...declared.runtime, ...declared.test].map(({ name }) => name)
  const speaksOfPytest = config !== undefined || names.includes('pytest') || isImported('pytest', tests)
  const site = declared.mentioned.has('django') && !speaksOfPytest ? djangoSite(manifests) : undefined
  const framework = site ? ['django'] : []
  const extra = parseRequirements([...framework, 'pytest', ...neededPlugins(config), ...testLibraries(tests)])
  const base: Omit<Recipe, 'dependencies' | 'files' | 'project'> = {
    schema: 'r2e.recipe/1',
    language: 'python',
    baseImage: `python:${pythonVersion(declared.facts, versionFile)}-slim`,
    system: systemPackages(
      names,
      manifests.paths.some((path) => path.endsWith('.pyx')) || hasExtensions(manifests, folder),
    ),
    env: { VIRTUAL_ENV: venv, PATH: `${venv}/bin:\${PATH}`, ...env },
    setup: [],
    runner: 'pytest',
    suite: pytestSuite(manifests, config),
    testEnv: { PYTEST_ADDOPTS: pytestAddopts(config) },
    manifests: manifests.used(),
    origin: originOf(manifests, config?.file, lock?.path),
  }
  const recipes = attempts(declared, build, extra, (all) => (lock ? constraintsFor(lock, all) : [])).map((attempt) => ({
    ...base,
    ...steps(attempt, declared, folder),
  }))
  if (site !== undefined) return [...recipes.map((recipe) => djangoRecipe(recipe, site)), ...recipes]
  const needsNothing = declared.runtime.length === 0
  return needsNothing && isPlainUnittest(tests)
    ? [...recipes, unittestRecipe(base, manifests, recipes.at(-1)!)]
    : recipes
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
  const install = declared.backend !== undefined
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

function steps(
  attempt: Attempt,
  declared: Declared,
  folder: string,
): Pick<Recipe, 'files' | 'dependencies' | 'project'> {
  const constrained = attempt.constraints.length > 0
  const files: RecipeFile[] = [
    { path: 'make_venv.py', text: makeVenv },
    { path: 'requirements.txt', text: lines(attempt.requirements) },
    ...(constrained ? [{ path: 'constraints.txt', text: lines(attempt.constraints) }] : []),
    attempt.install
      ? { path: 'project.txt', text: `-e ./${folder}\n` }
      : { path: 'link_project.py', text: linkProject },
  ]
  const dependencies: RecipeStep[] = [
    { run: `python3 /r2e/make_venv.py ${venv}`, network: true },
    { run: `${pip} -r /r2e/requirements.txt${constrained ? ' -c /r2e/constraints.txt' : ''}`, network: true },
  ]
  // Modules that a solution adds must be seen: setuptools else maps the packages of the base tree one by one.
  const mode = declared.backend === 'setuptools' ? ' --config-settings editable_mode=compat' : ''
  const install = `${pip} --no-index --no-build-isolation --no-deps --use-pep517${mode} -r /r2e/project.txt`
  const project = [{ run: attempt.install ? install : `${python} /r2e/link_project.py`, network: false }]
  return { files, dependencies, project }
}

function lines(requirements: readonly Requirement[]): string {
  return requirements.map((requirement) => `${formatRequirement(requirement)}\n`).join('')
}

/** What an offline, unisolated editable build needs beforehand. */
function buildRequirements(declared: Declared): Requirement[] {
  if (declared.backend === undefined) return []
  const written = declared.facts.build
  const names = new Set(written.map(({ name }) => name))
  const missing = [
    // What old setup.py files use left setuptools bit by bit, and later ones need a newer `packaging` than old pins give.
    ...(names.has('setuptools') || declared.backend === 'other'
      ? []
      : [declared.modern ? 'setuptools<81' : 'setuptools<70']),
    ...(names.has('hatchling') || names.has('pdm-backend') ? ['editables'] : []),
    'wheel',
  ]
  return uniqueRequirements([...written, ...parseRequirements(missing.filter((text) => !names.has(text)))])
}

const projectFile = /(^|\/)(pyproject\.toml|setup\.py|setup\.cfg|requirements\.txt|Pipfile)$/

/** The root, or the only nearest folder with a manifest where the root has none. */
function projectFolder(manifests: Manifests): string {
  const folders = manifests.paths
    .filter((path) => projectFile.test(path) && !/(^|\/)(tests?|docs?|examples?|\.[^/]+)\//i.test(path))
    .map(folderOf)
    .filter((folder) => !/[\s\\#"'${}]/.test(folder))
  return folders.sort(shallowFirst)[0] ?? ''
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

function unittestRecipe(
  base: Omit<Recipe, 'dependencies' | 'files' | 'project'>,
  manifests: Manifests,
  last: Recipe,
): Recipe {
  const files = last.files.filter(({ path }) => path === 'link_project.py')
  const dependencies = [{ run: `python3 -m venv --without-pip ${venv}`, network: false }]
  return {
    ...base,
    runner: 'unittest',
    suite: testModules(manifests.paths),
    testEnv: {},
    files,
    dependencies,
    project: last.project,
  }
}

function originOf(manifests: Manifests, config: string | undefined, lock: string | undefined): Recipe['origin'] {
  const facts: Record<string, string> = {
    ...(config && { [config]: 'pytest configuration' }),
    ...(lock && { [lock]: 'locked versions' }),
  }
  return manifests.used().map((file) => ({ file, fact: facts[file] ?? 'dependencies' }))
}
