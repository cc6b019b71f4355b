import { type LanguagePack, type MendRequest, type Recipe, type RecipeFile, type Tree, tryDecodeUtf8 } from '@r2e/spec'
import { namedRunner } from '../named-runner.ts'
import type { WrittenRecipe } from './tools.ts'

/** What a recipe is made from, beside the words of the model. */
export interface RecipeGround {
  readonly request: MendRequest
  /** In the order of promise; the first is the language of the tree. */
  readonly packs: readonly LanguagePack[]
  readonly baseImage: string
  /** Of all files of the tree. */
  readonly paths: readonly string[]
  /** Manifests of the tree, as they lie in /r2e/. */
  readonly files: readonly RecipeFile[]
  /** Name of the model, for people. */
  readonly author: string
}

const MOST_FILES = 100
const MOST_BYTES = 256 * 1024

/** The manifests of a tree that dependency steps may read: small ones, near the root first. */
export async function readManifests(tree: Tree, packs: readonly LanguagePack[]): Promise<readonly RecipeFile[]> {
  const patterns = packs.flatMap(({ manifests }) => manifests.map(basePattern))
  const depth = (path: string) => path.split('/').length
  const found = (await tree.entries())
    .filter(({ path, mode }) => mode !== '120000' && isPlain(path) && patterns.some((one) => one.test(baseName(path))))
    .sort((a, b) => depth(a.path) - depth(b.path))
    .slice(0, MOST_FILES)
  let room = MOST_BYTES
  const chosen = found.filter(({ size }) => {
    if (size > room) return false
    room -= size
    return true
  })
  const contents = await tree.readAll(chosen.map(({ path }) => path))
  return chosen.flatMap(({ path }) => {
    const text = tryDecodeUtf8(contents.get(path) ?? new Uint8Array())
    return text === undefined ? [] : [{ path, text }]
  })
}

/** What a Dockerfile can name without any quoting. */
const isPlain = (path: string) => /^[\w@+-][\w@+.-]*(?:\/[\w@+-][\w@+.-]*)*$/.test(path)
const baseName = (path: string) => path.slice(path.lastIndexOf('/') + 1)

function basePattern(pattern: string): RegExp {
  const source = pattern
    .replace(/[.+^${}()|[\]\\]/g, '\\$&')
    .replaceAll('*', '.*')
    .replaceAll('?', '.')
  return new RegExp(`^${source}$`)
}

/** The recipe that the model wrote, or what is wrong with it. */
export function planRecipe(ground: RecipeGround, written: WrittenRecipe): Recipe | string {
  const { options, failed, transcript } = ground.request
  const problem = problemOf(ground, written)
  if (problem !== undefined) return problem
  const testCommand = options.testCommand ?? commandWords(written.test[0]!)
  const pack = ground.packs.find((one) => namedRunner(one, testCommand)) ?? ground.packs[0]
  const runner = namedRunner(pack, testCommand)
  const similar = failed.find(
    ({ recipe }) => recipe.language === pack?.name && (!runner || recipe.runner === runner.name),
  )
  const name = runner?.name ?? similar?.recipe.runner ?? pack?.runners[0]?.name
  if (!pack || name === undefined) return 'test_cmds: the first command names no known runner'
  const steps = written.rebuild.join('\n')
  const files = steps.includes('/r2e') ? ground.files : []
  const recipe: Recipe = {
    schema: 'r2e.recipe/1',
    language: pack.name,
    baseImage: options.baseImage ?? written.baseImage ?? ground.baseImage,
    system: [...new Set(written.system)],
    env: written.env,
    files,
    dependencies: written.rebuild.map((run) => ({ run, network: true })),
    setup: options.setup.map((run) => ({ run, network: true })),
    project: written.project.map((run) => ({ run, network: false })),
    runner: name,
    testCommand,
    suite: similar?.recipe.suite ?? [],
    testEnv: similar?.recipe.testEnv ?? {},
    manifests: [...new Set([...(similar?.recipe.manifests ?? []), ...ground.files.map(({ path }) => path)])].sort(),
    origin: [{ fact: `written by ${ground.author}: ${oneLine(written.summary)}`, file: baseName(transcript) }],
  }
  return wholeSuite(ground, pack, recipe)
}

/** A runner that runs nothing without names is given every test file that it takes. */
function wholeSuite({ paths }: RecipeGround, pack: LanguagePack, recipe: Recipe): Recipe {
  const runner = pack.runners.find(({ name }) => name === recipe.runner)
  if (!runner || runner.suite(recipe).length > 0) return recipe
  const tests = paths.filter((path) => pack.role(path) === 'test')
  return { ...recipe, suite: tests.filter((path) => runner.files(recipe, [path]).length > 0) }
}

const oneLine = (text: string) => text.replace(/\s+/g, ' ').trim().slice(0, 200)

function problemOf({ request }: RecipeGround, written: WrittenRecipe): string | undefined {
  const commands = [...written.rebuild, ...written.project]
  const bad = [...commands, ...written.test].map(lineProblem).find((problem) => problem !== undefined)
  if (bad !== undefined) return bad
  if (written.test.length === 0) return 'test_cmds: name the command that runs the tests'
  const odd = written.system.find((name) => !/^[a-z0-9][a-z0-9+.:=~-]*$/.test(name))
  if (odd !== undefined) return `system: ${JSON.stringify(odd)} is no name of a Debian package`
  if (written.baseImage !== undefined && !/^\w[\w.:/@-]*$/.test(written.baseImage))
    return 'base_image: that is no name of an image'
  if (written.baseImage !== undefined && (request.options.baseImage ?? written.baseImage) !== written.baseImage)
    return `base_image: the user wants ${request.options.baseImage}`
  const variable = Object.entries(written.env).find(
    ([name, value]) => !/^[A-Za-z_]\w*$/.test(name) || /[\n\r\0]/.test(value),
  )
  return variable && `env: ${JSON.stringify(variable[0])} cannot stand in a Dockerfile`
}

/** What a RUN line of a Dockerfile holds. */
function lineProblem(command: string): string | undefined {
  const shown = JSON.stringify(command.slice(0, 80))
  if (/[\n\r\0]/.test(command)) return `${shown}: write it as one line`
  if (/<<-?\s*['"\w]/.test(command)) return `${shown}: no here-documents; use printf`
  if (/^(?:\s|--|\[)|\\$/.test(command)) return `${shown}: a command does not begin with "--" or "[", nor end with "\\"`
  if (command.includes('[secret ')) return `${shown}: it holds a secret`
  return undefined
}

/** An argument list to which arguments can be appended. */
function commandWords(command: string): readonly string[] {
  if (/^[\w@%+:,./\s-]+$/.test(command)) return command.trim().split(/\s+/)
  return ['bash', '-c', `${command} "$@"`, 'bash']
}
