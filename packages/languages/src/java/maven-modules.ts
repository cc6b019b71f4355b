import type { Recipe } from '@r2e/spec'
import type { Manifests } from '../manifests.ts'
import { baseName, folderOf, joinPath } from '../path.ts'
import { allElements, elementAt, parseXml, type XmlElement } from '../xml-elements.ts'

export interface MavenModule {
  /** Folder of the pom, `` at the root. */
  readonly folder: string
  /** Folder where its build starts: the outermost that has a pom. */
  readonly reactor: string
  readonly pom: XmlElement
}

/** Where the manifests of a recipe lie below `/r2e/`. */
export const mavenFolder = 'maven'

const foreign = /(?:^|\/)(?:target|src|node_modules)\//

/** The modules that the outermost poms build, found by their lists of modules. */
export async function mavenModules(manifests: Manifests): Promise<readonly MavenModule[]> {
  const poms = manifests.paths.filter(
    (path) => baseName(path) === 'pom.xml' && !foreign.test(path) && !/[\n\r]/.test(path),
  )
  const folders = poms.map(folderOf)
  const reactors = folders.filter((folder) => !folders.some((other) => other !== folder && isBelow(folder, other)))
  const modules = new Map<string, MavenModule>()
  for (const reactor of reactors) {
    const queue = [reactor]
    for (const folder of queue) {
      const path = joinPath(folder, 'pom.xml')!
      if (modules.has(folder) || !manifests.has(path)) continue
      const pom = elementAt(parseXml((await manifests.read(path)) ?? ''), 'project') ?? parseXml('')
      modules.set(folder, { folder, reactor, pom })
      for (const below of moduleNames(pom)) {
        const target = joinPath(folder, below.endsWith('.xml') ? folderOf(below) : below)
        if (target !== undefined) queue.push(target)
      }
    }
  }
  return [...modules.values()]
}

/** Of the project and of profiles that are active by default. */
function moduleNames(pom: XmlElement): string[] {
  const profiles = elementAt(pom, 'profiles')?.children ?? []
  const active = profiles.filter((profile) => elementAt(profile, 'activation', 'activeByDefault')?.text === 'true')
  return [pom, ...active].flatMap((owner) => (elementAt(owner, 'modules')?.children ?? []).map(({ text }) => text))
}

/** The innermost module that holds a file. */
export function mavenModuleOf<M extends { readonly folder: string }>(
  modules: readonly M[],
  path: string,
): M | undefined {
  return modules.filter(({ folder }) => isBelow(path, folder)).sort((a, b) => b.folder.length - a.folder.length)[0]
}

/** The folders where the builds of a recipe start, read back from its files. */
export function recipeReactors(recipe: Recipe): readonly string[] {
  const text = recipe.files.find(({ path }) => path === 'reactors')?.text ?? '\n'
  return text.split('\n').slice(0, -1)
}

export function usesPlugin(modules: readonly MavenModule[], artifact: string): boolean {
  return modules.some(({ pom }) =>
    [...allElements(pom)].some(
      (element) => element.name === 'plugin' && elementAt(element, 'artifactId')?.text === artifact,
    ),
  )
}

function isBelow(path: string, folder: string): boolean {
  return folder === '' || path.startsWith(`${folder}/`)
}
