import type { Recipe, RecipeInput, RecipeStep } from '@r2e/spec'
import { type Manifests, openManifests } from '../manifests.ts'
import { autoloadScript } from './autoload-script.ts'
import { type Composer, parseComposer, phpVersion } from './composer.ts'
import { debianLibraries } from './debian-libraries.ts'
import { builtExtensions, debianExtensions } from './extensions.ts'
import { phpunitSuite } from './suite.ts'

const composerFlags = '--no-interaction --no-scripts --no-plugins'

/** An official image of PHP holds no Composer. */
const getComposer: RecipeStep = {
  run: `command -v composer > /dev/null || { php -r "copy('https://getcomposer.org/download/latest-stable/composer.phar', '/usr/local/bin/composer') || exit(1);" && chmod 755 /usr/local/bin/composer; }`,
  network: true,
}
const buildExtensions: RecipeStep = {
  run: 'if command -v docker-php-ext-install > /dev/null; then xargs -r docker-php-ext-install < /r2e/extensions > /dev/null; fi',
  network: true,
}
const install: RecipeStep = {
  run: `composer install ${composerFlags} --working-dir=/r2e/composer --no-autoloader --no-progress --prefer-dist '--ignore-platform-req=ext-*'`,
  network: true,
}
/** What is installed is not the project's: git does not show it. */
const hide = 'echo /vendor/ >> .git/info/exclude'
const link: RecipeStep = {
  run: `cp -a /r2e/composer/vendor . && composer dump-autoload ${composerFlags} && ${hide}`,
  network: false,
}
const ownAutoloader: RecipeStep = {
  run: `mkdir -p vendor && cp /r2e/autoload.php vendor/autoload.php && ${hide}`,
  network: false,
}

type Base = Omit<Recipe, 'baseImage' | 'system' | 'env' | 'files' | 'dependencies' | 'project'>

/**
 * Recipes in order of promise: the packages as they are locked, as they are declared, and a Debian image with an
 * autoloader of ours in place of Composer.
 */
export async function phpRecipes(input: RecipeInput): Promise<readonly Recipe[]> {
  const manifests = await openManifests(input.tree)
  const text = await manifests.read('composer.json')
  const lock = await manifests.read('composer.lock')
  const composer = parseComposer(text ?? '')
  const named =
    (await manifests.read('.php-version')) ?? /^php .*/m.exec((await manifests.read('.tool-versions')) ?? '')?.[0]
  const suite = await phpunitSuite(manifests)
  if (suite.length === 0) return []
  const base = baseRecipe(manifests, suite)
  const image = `php:${phpVersion(composer.php, named)}-cli`
  const attempts = text === undefined || hasVendor(manifests) ? [] : installs(text, lock, composer)
  return [
    ...attempts.map((files) => composerRecipe(base, { composer, image, files })),
    debianRecipe(base, composer, hasVendor(manifests)),
  ]
}

function hasVendor(manifests: Manifests): boolean {
  return manifests.has('vendor/autoload.php')
}

function baseRecipe(manifests: Manifests, suite: readonly string[]): Base {
  const fact = (file: string) => (file.startsWith('phpunit') ? 'test files' : 'dependencies')
  return {
    schema: 'r2e.recipe/1',
    language: 'php',
    setup: [],
    runner: 'phpunit',
    suite,
    testEnv: {},
    manifests: manifests.used(),
    origin: manifests.used().map((file) => ({ file, fact: fact(file) })),
  }
}

type Files = Readonly<Record<string, string>>

/** What Composer is given: the lock first; without PHPUnit among the requirements it is added. */
function installs(text: string, lock: string | undefined, { requires }: Composer): Files[] {
  const hasRunner = Object.hasOwn(requires, 'phpunit/phpunit') || /"name": *"phpunit\/phpunit"/.test(lock ?? '')
  if (hasRunner)
    return [
      ...(lock === undefined ? [] : [{ 'composer.json': text, 'composer.lock': lock }]),
      { 'composer.json': text },
    ]
  try {
    const json = JSON.parse(text) as Record<string, unknown>
    const development = { ...(json['require-dev'] as object | undefined), 'phpunit/phpunit': '*' }
    return [{ 'composer.json': `${JSON.stringify({ ...json, 'require-dev': development }, undefined, 2)}\n` }]
  } catch {
    return []
  }
}

function composerRecipe(
  base: Base,
  { composer, image, files }: { composer: Composer; image: string; files: Files },
): Recipe {
  const extensions = builtExtensions(composer.extensions)
  return {
    ...base,
    baseImage: image,
    system: ['git', 'unzip', ...extensions.packages],
    env: { COMPOSER_HOME: '/opt/composer', COMPOSER_ALLOW_SUPERUSER: '1', COMPOSER_NO_AUDIT: '1' },
    files: [
      ...Object.entries(files).map(([name, text]) => ({ path: `composer/${name}`, text })),
      { path: 'extensions', text: extensions.names.map((name) => `${name}\n`).join('') },
    ],
    dependencies: [getComposer, buildExtensions, install],
    project: [link],
  }
}

/** Debian has one version of PHP and of PHPUnit, whatever the project names. */
function debianRecipe(base: Base, composer: Composer, vendored: boolean): Recipe {
  const packages = [...debianExtensions(composer.extensions), ...debianLibraries(Object.keys(composer.requires))]
  return {
    ...base,
    baseImage: 'debian:trixie',
    system: [...new Set(['php-cli', 'php-mbstring', 'php-xml', 'phpunit', ...packages])].sort(),
    env: {},
    files: vendored ? [] : [{ path: 'autoload.php', text: autoloadScript }],
    dependencies: [],
    project: vendored ? [] : [ownAutoloader],
    origin: [...base.origin, { file: 'apt', fact: 'PHP and PHPUnit of Debian 13, without Composer' }],
  }
}
