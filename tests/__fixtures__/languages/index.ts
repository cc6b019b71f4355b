import type { RepositoryStep } from '../../../packages/testing/src/index.ts'
import { cpp } from './cpp.ts'
import { go } from './go.ts'
import { java } from './java.ts'
import { javascript } from './javascript.ts'
import { php } from './php.ts'
import { python } from './python.ts'
import { ruby } from './ruby.ts'
import { rubyMinitest } from './ruby-minitest.ts'
import { rust } from './rust.ts'

/** A small repository of one language, and what generate must make of each of its commits. */
export interface LanguageSample {
  /** As the pack is named. */
  readonly language: string
  /** Lab image that holds its toolchain. */
  readonly image: string
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

export const languageSamples: readonly LanguageSample[] = [cpp, go, java, javascript, php, python, ruby, rubyMinitest, rust]
