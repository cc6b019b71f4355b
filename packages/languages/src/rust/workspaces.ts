import type { Manifests } from '../manifests.ts'
import { folderOf, joinPath } from '../path.ts'
import { type CargoManifest, readCargoManifest } from './cargo-manifest.ts'

export interface CargoPackage extends CargoManifest {
  readonly path: string
  readonly folder: string
}

/** Where the manifests of a recipe lie below `/r2e/`, in their own layout. */
export const manifestFolder = 'cargo'

const manifestFile = /(^|\/)Cargo\.toml$/
const foreign = /(^|\/)(target|vendor|node_modules|\.[^/]+)\//

/** Every Cargo.toml of the tree that can be read, but for those of others. */
export async function cargoPackages(manifests: Manifests): Promise<readonly CargoPackage[]> {
  const paths = manifests.paths.filter((path) => manifestFile.test(path) && isOwn(path))
  const texts = await manifests.peek(paths)
  return paths.flatMap((path) => {
    const manifest = readCargoManifest(texts.get(path) ?? '')
    return manifest ? [{ ...manifest, path, folder: folderOf(path) }] : []
  })
}

/** Of the project itself, and a path that may stand in a list of lines. */
export function isOwn(path: string): boolean {
  return !foreign.test(path) && !/[\n\r]/.test(path)
}

/**
 * Folders that cargo is run for: each workspace, and each package that lies in none. Packages that a workspace leaves
 * out, and fixtures below tests, are not tested.
 */
export function cargoRoots(packages: readonly CargoPackage[]): readonly string[] {
  const roots: string[] = []
  for (const { folder } of [...packages].sort((a, b) => a.folder.length - b.folder.length)) {
    const inside = roots.some((root) => root === '' || folder.startsWith(`${root}/`))
    if (!inside && !/(^|\/)(tests?|examples?|fuzz)(\/|$)/.test(folder)) roots.push(folder)
  }
  return roots.sort()
}

/** Source files without which cargo takes a manifest for broken: those of targets, by convention or by name. */
export function targetFiles(manifests: Manifests, packages: readonly CargoPackage[]): string[] {
  const folders = new Set(packages.map(({ folder }) => folder))
  const named = packages.flatMap(({ folder, targetPaths }) => targetPaths.map((path) => joinPath(folder, path)))
  const byName = new Set(named.filter((path) => path !== undefined))
  return manifests.paths.filter((path) => isOwn(path) && (byName.has(path) || isTargetFile(path, folders)))
}

function isTargetFile(path: string, folders: ReadonlySet<string>): boolean {
  const found =
    /^(?:(.*)\/)?(?:build|src\/(?:lib|main|bin\/[^/]+|bin\/[^/]+\/main)|(?:tests|benches|examples)\/(?:[^/]+|[^/]+\/main))\.rs$/.exec(
      path,
    )
  return found !== null && folders.has(found[1] ?? '')
}
