import type { Recipe, RecipeFile, RecipeInput, RecipeStep } from '@r2e/spec'
import { type Manifests, openManifests } from '../manifests.ts'
import { gemfile } from './bundler.ts'
import { debianPackages } from './debian-gems.ts'
import { formatGemfile, type Gem, lockedGems, parseGems, uniqueGems, withoutTools } from './gems.ts'
import { loaderOptions } from './minitest-runner.ts'
import { parseRakefile } from './rakefile.ts'
import { rubyVersion } from './ruby-version.ts'
import { standIns } from './stand-ins.ts'
import { specFiles, specFolders, testFiles } from './suite.ts'

/** How the tests of a tree are started. */
interface Tests {
  readonly runner: 'rspec' | 'minitest'
  readonly suite: readonly string[]
  /** Gems without which the runner does not start. */
  readonly needs: readonly string[]
}

const bundle = '/opt/bundle'
const install: RecipeStep = { run: `bundle install --jobs 2 --retry 2`, network: true }

/**
 * Recipes in order of promise: the gems as they are locked, the declared ones without developers' tools, and the gems of
 * a Debian image without Bundler. A Gemfile of ours stands for the project's, whose own files are never run outside a
 * test.
 */
export async function rubyRecipes(input: RecipeInput): Promise<readonly Recipe[]> {
  const manifests = await openManifests(input.tree)
  const found = await readProject(manifests)
  const tests = await chooseTests(manifests)
  return tests.flatMap((chosen) => {
    const gems = uniqueGems([...found.gems, ...chosen.needs.map((name) => ({ name, requirements: [] }))])
    const base = baseRecipe(manifests, found, chosen)
    const bundles = [...(found.lock ? [locked(gems, found.lock)] : []), withoutTools(gems)]
    const unlike = [...new Map(bundles.map((bundled) => [formatGemfile(bundled), bundled])).values()]
    return [...unlike.map((bundled) => bundleRecipe(base, bundled, found)), debianRecipe(base, gems)]
  })
}

interface Project {
  readonly gems: readonly Gem[]
  readonly lock: ReadonlyMap<string, string> | undefined
  readonly version: string
  readonly options: readonly string[]
  readonly hasExtension: boolean
}

async function readProject(manifests: Manifests): Promise<Project> {
  const gemfileText = (await manifests.read('Gemfile')) ?? (await manifests.read('gems.rb'))
  const specs = manifests.paths.filter((path) => /^[^/]+\.gemspec$/.test(path))
  const gemspecs = await Promise.all(specs.map(async (path) => (await manifests.read(path)) ?? ''))
  const lock = (await manifests.read('Gemfile.lock')) ?? (await manifests.read('gems.locked'))
  const task = parseRakefile((await manifests.read('Rakefile')) ?? '')
  const own = new Set(specs.map((path) => path.slice(0, -'.gemspec'.length)))
  return {
    gems: uniqueGems([...gemspecs, gemfileText ?? ''].flatMap(parseGems)).filter(({ name }) => !own.has(name)),
    lock: lock === undefined ? undefined : lockedGems(lock),
    version: rubyVersion({
      file: await manifests.read('.ruby-version'),
      toolVersions: await manifests.read('.tool-versions'),
      gemfile: gemfileText,
      lock,
      gemspec: gemspecs[0],
    }),
    options: [
      ...[...new Set(['lib', 'test', 'spec', ...task.folders])].map((folder) => `-I${folder}`),
      ...[...new Set(task.libraries)].map((library) => `-r${library}`),
    ],
    hasExtension: manifests.paths.some((path) => /^ext\/(?:.*\/)?extconf\.rb$/.test(path)),
  }
}

/** At most this many test files are looked at. */
const mostTests = 200

/** The runners whose files a tree has, the one with more files first; specs of Minitest are Minitest's. */
async function chooseTests(manifests: Manifests): Promise<Tests[]> {
  const specs = specFiles(manifests.paths)
  const tests = testFiles(manifests.paths)
  const helpers = manifests.paths.filter((path) => /^(?:spec|test)\/(?:.*\/)?\w*helper\w*\.rb$/.test(path))
  const texts = [...(await manifests.peek([...helpers, ...tests, ...specs].slice(0, mostTests))).values()]
  const says = (pattern: RegExp) => texts.some((text) => pattern.test(text))
  const specsAreMinitest = says(/^[ \t]*require ["']minitest/m) && !says(/\bRSpec\b|require ["']rspec/)
  const inMinitest = specsAreMinitest ? [...tests, ...specs] : tests
  const library = says(/^[ \t]*require ["']test\/unit["']/m) ? 'test-unit' : 'minitest'
  const found: Tests[] = [
    ...(specs.length > 0 && !specsAreMinitest
      ? [{ runner: 'rspec' as const, suite: specFolders(specs), needs: ['rspec'] }]
      : []),
    ...(inMinitest.length > 0 ? [{ runner: 'minitest' as const, suite: inMinitest, needs: [library] }] : []),
  ]
  return tests.length > specs.length ? found.reverse() : found
}

type Base = Omit<Recipe, 'baseImage' | 'system' | 'env' | 'files' | 'dependencies' | 'project'> & {
  readonly files: readonly RecipeFile[]
}

function baseRecipe(manifests: Manifests, { options }: Project, tests: Tests): Base {
  const facts = new Map([
    ['Rakefile', 'load path of the tests'],
    ['.ruby-version', 'version of Ruby'],
  ])
  return {
    schema: 'r2e.recipe/1',
    language: 'ruby',
    files:
      tests.runner === 'minitest' ? [{ path: loaderOptions, text: options.map((word) => `${word}\n`).join('') }] : [],
    setup: [],
    runner: tests.runner,
    suite: tests.suite,
    testEnv: {},
    manifests: manifests.used(),
    origin: manifests.used().map((file) => ({ file, fact: facts.get(file) ?? 'dependencies' })),
  }
}

function bundleRecipe(base: Base, gems: readonly Gem[], { version, hasExtension }: Project): Recipe {
  const compile: RecipeStep = { run: 'bundle exec rake compile', network: false, optional: true }
  return {
    ...base,
    baseImage: `ruby:${version}`,
    system: [],
    env: { BUNDLE_GEMFILE: gemfile, BUNDLE_PATH: bundle, BUNDLE_APP_CONFIG: bundle, BUNDLE_SILENCE_ROOT_WARNING: '1' },
    files: [...base.files, { path: 'Gemfile', text: formatGemfile(gems) }],
    dependencies: [install],
    project: hasExtension ? [compile] : [],
  }
}

/** Debian's packages stand beside its own Ruby, whatever version the project names. */
function debianRecipe(base: Base, gems: readonly Gem[]): Recipe {
  return {
    ...base,
    baseImage: 'debian:trixie',
    system: [...new Set(['rake', 'ruby', ...debianPackages(gems.map(({ name }) => name))])].sort(),
    env: { RUBYLIB: '/r2e/lib' },
    files: [...base.files, ...standIns],
    dependencies: [],
    project: [],
    origin: [...base.origin, { file: 'apt', fact: 'Ruby and gems of Debian 13, without Bundler' }],
  }
}

/** Every gem of the lock at its version; what Bundler.require loads is still what the project declares. */
function locked(gems: readonly Gem[], lock: ReadonlyMap<string, string>): Gem[] {
  const declared = new Map(gems.map((gem) => [gem.name, gem]))
  const all = new Set([...declared.keys(), ...lock.keys()])
  return [...all]
    .filter((name) => name !== 'bundler')
    .map((name) => {
      const gem = declared.get(name)
      const version = lock.get(name)
      const requirements = version === undefined ? (gem?.requirements ?? []) : [version]
      return gem ? { ...gem, requirements } : { name, requirements, require: false as const }
    })
}
