import type { Recipe } from '@r2e/spec'
import { joinWords, splitWords } from '../shell-words.ts'

/** One command of a suite: a package's runner with the project's own options, or a build that its tests need first. */
export interface Workload {
  /** Folder of the package, `` at the root. */
  readonly folder: string
  /** Program and options; the program is named by its place in node_modules/.bin, or by itself. */
  readonly words: readonly string[]
  /** Files, folders or patterns, relative to the folder. */
  readonly paths: readonly string[]
}

/** As a person would type it, so that a recipe can be read: `env -C packages/a node_modules/.bin/jest -- src`. */
export function formatWorkload({ folder, words, paths }: Workload): string {
  return joinWords([...inFolder(folder), ...words, ...(paths.length > 0 ? ['--', ...paths] : [])])
}

function parseWorkload(text: string): Workload {
  const words = splitWords(text) ?? []
  const nested = words[0] === 'env' && words[1] === '-C'
  const rest = nested ? words.slice(3) : words
  const end = rest.indexOf('--')
  return {
    folder: nested ? words[2]! : '',
    words: end < 0 ? rest : rest.slice(0, end),
    paths: end < 0 ? [] : rest.slice(end + 1),
  }
}

export function workloadsOf(recipe: Recipe): Workload[] {
  return recipe.suite.map(parseWorkload)
}

export function inFolder(folder: string): string[] {
  return folder === '' ? [] : ['env', '-C', folder]
}

/** Where the program of an installed package lies. */
export function binary(name: string): string {
  return `node_modules/.bin/${name}`
}

/** For a folder below a package: its programs lie in that of the package. */
export function programsAbove(workload: Workload, below: string): Workload {
  const up = below === '' ? '' : '../'.repeat(below.split('/').length)
  return {
    ...workload,
    words: workload.words.map((word, at) => (at === 0 && word.startsWith('node_modules/') ? up + word : word)),
  }
}
