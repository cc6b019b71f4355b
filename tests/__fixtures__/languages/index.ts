import type { RepositoryStep } from '../../../packages/testing/src/index.ts'
import { cpp } from './cpp.ts'
import { automake, catch2, doctest, meson } from './cpp-runners.ts'
import { go } from './go.ts'
import { java } from './java.ts'
import { gradle } from './java-gradle.ts'
import { javascript } from './javascript.ts'
import { ava, jest, mocha, nodeTest } from './javascript-runners.ts'
import { php } from './php.ts'
import { python } from './python.ts'
import { django, unittest } from './python-runners.ts'
import { ruby } from './ruby.ts'
import { rubyMinitest } from './ruby-minitest.ts'
import { rust } from './rust.ts'

/** A small repository of one language, and what generate must make of each of its commits. */
export interface LanguageSample {
  /** As the pack is named. */
  readonly language: string
  /** That runs its tests, by its name. */
  readonly runner: string
  /** What is run with the test that is asked for: all of its file, or all whose ids agree in what this matches. */
  readonly selects?: 'file' | RegExp
  /** Lab image that holds its toolchain. */
  readonly image: string
  /** What the image is built from, where the lab has none. */
  readonly dockerfile?: string
  /** `--test-cmd`; the runner is inferred where it is absent. */
  readonly testCommand?: string
  readonly history: readonly RepositoryStep[]
  /** By the first line of the message; commits that are not named may come to anything. */
  readonly expected: Readonly<Record<string, Expected>>
}

/** The fail-to-pass list of the task, and ids that must and must not be pass-to-pass; or the reason of the skip. */
export type Expected =
  | { readonly failToPass: readonly string[]; readonly keeps?: readonly string[]; readonly loses?: readonly string[] }
  | { readonly skip: string }

/** A longer history each. */
export const languageSamples: readonly LanguageSample[] = [cpp, go, java, javascript, php, python, ruby, rubyMinitest, rust]

/** One fix each, for the other runners. */
export const runnerSamples: readonly LanguageSample[] = [
  ...[automake, ava, catch2, django, doctest, gradle, jest, meson, mocha, nodeTest, unittest],
]
