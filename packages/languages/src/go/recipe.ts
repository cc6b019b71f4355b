import type { Recipe, RecipeFile, RecipeInput, RecipeStep } from '@r2e/spec'
import { type Manifests, openManifests } from '../manifests.ts'
import { folderOf, joinPath } from '../path.ts'
import { goVersion, manifestFolder, moduleOf, modulePath } from './modules.ts'
import { isTestFile } from './roles.ts'

const manifestFile = /(^|\/)(go\.mod|go\.sum|go\.work|go\.work\.sum)$/
const foreign = /(^|\/)(vendor|testdata|node_modules)\/|(^|\/)[_.][^/]*\//

/** The newest release of which nothing here is older: older modules keep their own language version anyway. */
const oldest = 24

/** A login shell resets PATH; a link in a folder that every PATH holds survives it. */
const linkGo: RecipeStep = {
  run: 'test -e /usr/local/bin/go || ln -s "$(command -v go)" /usr/local/bin/go',
  network: false,
  optional: true,
}

const download: RecipeStep = {
  run: `find /r2e/${manifestFolder} -name go.mod -exec sh -c 'for file; do (cd "\${file%/*}" && go mod download) || exit 1; done' sh {} +`,
  network: true,
}

/** In a layer that all commits of the same dependencies share. */
const standardLibrary: RecipeStep = {
  run: `find /r2e/${manifestFolder} -name go.mod -exec sh -c 'for file; do (cd "\${file%/*}" && go build std > /dev/null 2>&1); done' sh {} +`,
  network: false,
  optional: true,
}

/** Fills the compiler's cache, so that a test run spends its time on tests. */
const warmUp: RecipeStep = {
  run: `while IFS= read -r folder; do (cd "./$folder" && GOPROXY=off go test -count=1 -run '^$' ./... > /dev/null 2>&1) || true; done < /r2e/modules`,
  network: false,
  optional: true,
}

/** One recipe: the module files alone are copied, so that no source of the project enters a layer. */
export async function goRecipes(input: RecipeInput): Promise<readonly Recipe[]> {
  const manifests = await openManifests(input.tree)
  const files = await moduleFiles(manifests)
  const goMods = files.filter(({ path }) => path.endsWith('go.mod'))
  if (goMods.length === 0) return []
  const suite = testedModules(manifests, goMods)
  const vendored = manifests.has('vendor/modules.txt')
  const modules = suite.length > 0 ? suite : ['']
  return [
    {
      schema: 'r2e.recipe/1',
      language: 'go',
      baseImage: `golang:${imageVersion(files)}`,
      system: [],
      env: {},
      files: [...files, { path: 'modules', text: modules.map((folder) => `${folder}\n`).join('') }],
      dependencies: [linkGo, vendored ? { ...download, optional: true } : download, standardLibrary],
      setup: [],
      project: [warmUp],
      runner: 'go',
      suite: modules.map((folder) => (folder === '' ? './...' : `${folder}/...`)),
      testEnv: {},
      manifests: manifests.used(),
      origin: manifests.used().map((file) => ({ fact: 'modules', file })),
    },
  ]
}

/**
 * The module files in their own layout below {@link manifestFolder}: of the root, of modules with tests, and of modules
 * that those are built with by a local replacement or a workspace.
 */
async function moduleFiles(manifests: Manifests): Promise<RecipeFile[]> {
  const paths = manifests.paths.filter((path) => manifestFile.test(path) && !foreign.test(path) && !/[\n\r]/.test(path))
  const texts = await manifests.peek(paths)
  const modules = paths.filter((path) => path.endsWith('go.mod')).map((path) => ({ folder: folderOf(path), path: '' }))
  const tested = manifests.paths.filter(isTestFile).map((path) => moduleOf(modules, path)?.folder)
  const wanted = new Set<string>()
  const queue = ['', ...tested.filter((folder) => folder !== undefined)]
  for (let folder = queue.pop(); folder !== undefined; folder = queue.pop()) {
    if (wanted.has(folder)) continue
    wanted.add(folder)
    for (const name of ['go.mod', 'go.work'])
      for (const target of localFolders(texts.get(joinPath(folder, name)!) ?? ''))
        queue.push(joinPath(folder, target) ?? '')
  }
  const chosen = paths.filter((path) => wanted.has(folderOf(path)))
  return Promise.all(
    chosen.map(async (path) => ({ path: `${manifestFolder}/${path}`, text: (await manifests.read(path)) ?? '' })),
  )
}

/** Folders that a go.mod replaces a module by, or that a go.work uses. */
function localFolders(text: string): string[] {
  const code = text.replace(/\/\/.*$/gm, '')
  return [...code.matchAll(/(?:=>|^[ \t]*use|^)[ \t]*"?(\.\.?(?:\/[^\s")]*)?)"?[ \t\r]*$/gm)].map((match) => match[1]!)
}

/** Folders of the modules that hold a test file, the root first. */
function testedModules(manifests: Manifests, goMods: readonly RecipeFile[]): string[] {
  const modules = goMods.map(({ path, text }) => ({
    folder: folderOf(path.slice(manifestFolder.length + 1)),
    path: modulePath(text),
  }))
  const tests = manifests.paths.filter((path) => isTestFile(path) && !foreign.test(path))
  return [...new Set(tests.map((path) => moduleOf(modules, path)?.folder))]
    .filter((folder) => folder !== undefined)
    .sort()
}

/** A workspace may ask for a newer release than its modules do. */
function imageVersion(files: readonly RecipeFile[]): string {
  const asking = files.filter(({ path }) => /(^|\/)go\.(mod|work)$/.test(path))
  const minors = asking.map(({ text }) => Number(goVersion(text)?.slice(2) ?? 0))
  return `1.${Math.max(oldest, ...minors)}`
}
