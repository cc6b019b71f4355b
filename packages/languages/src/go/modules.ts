import type { Recipe } from '@r2e/spec'
import { folderOf } from '../path.ts'

export interface GoModule {
  /** Folder of go.mod, `` at the root. */
  readonly folder: string
  /** Import path that its packages begin with. */
  readonly path: string
}

/** Where the manifests of a recipe lie below `/r2e/`. */
export const manifestFolder = 'go'

/** The modules of a recipe, read back from its files. */
export function recipeModules(recipe: Recipe): GoModule[] {
  return recipe.files
    .filter(({ path }) => path.startsWith(`${manifestFolder}/`) && /(^|\/)go\.mod$/.test(path))
    .map(({ path, text }) => ({ folder: folderOf(path.slice(manifestFolder.length + 1)), path: modulePath(text) }))
}

export function modulePath(goMod: string): string {
  const match = /^[ \t]*module[ \t]+(?:"([^"]+)"|`([^`]+)`|([^\s(/][^\s(]*))/m.exec(goMod)
  return match?.[1] ?? match?.[2] ?? match?.[3] ?? ''
}

/** The `go` line: `1.22`, or undefined. */
export function goVersion(goMod: string): string | undefined {
  return /^[ \t]*go[ \t]+(1\.\d+)/m.exec(goMod)?.[1]
}

/** The innermost module that holds a file. */
export function moduleOf(modules: readonly GoModule[], path: string): GoModule | undefined {
  return modules
    .filter(({ folder }) => folder === '' || path.startsWith(`${folder}/`))
    .sort((a, b) => b.folder.length - a.folder.length)[0]
}

/** The module whose import path is the longest beginning of a package's. */
export function moduleOfPackage(modules: readonly GoModule[], name: string): GoModule | undefined {
  return modules
    .filter(({ path }) => name === path || name.startsWith(`${path}/`))
    .sort((a, b) => b.path.length - a.path.length)[0]
}
