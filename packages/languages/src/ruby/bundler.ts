import type { Recipe } from '@r2e/spec'

/** Our own Gemfile, made from the project's declarations; it stands outside the tree, so that nobody's change moves it. */
export const gemfile = '/r2e/Gemfile'

/** Bundler's command where the recipe installs gems by it; none where the gems are those of the image. */
export function inBundle({ env }: Recipe): readonly string[] {
  return env.BUNDLE_GEMFILE === undefined ? [] : ['bundle', 'exec']
}
