import type { Recipe } from '@r2e/spec'
import type { Manifests } from '../manifests.ts'
import { baseName, folderOf, isDocumentation, joinPath, shallowFirst } from '../path.ts'

/** From where Django's own runner is started. */
export interface DjangoSite {
  /** manage.py or the settings of the tests, whichever says it. */
  readonly file: string
  /** manage.py itself, or the folder that `python -m django` runs in. */
  readonly start: string
  readonly testEnv: Readonly<Record<string, string>>
}

/** The nearest manage.py; where there is none, the only settings of tests. */
export function djangoSite(manifests: Manifests): DjangoSite | undefined {
  const files = manifests.paths.filter((path) => !isDocumentation(path))
  const [manage] = files.filter((path) => baseName(path) === 'manage.py').sort(shallowFirst)
  if (manage !== undefined) return { file: manage, start: manage, testEnv: {} }
  const [settings, ...others] = files.filter((path) => /(?:^|\/)tests?\/(?:test_)?settings\.py$/.test(path))
  return settings === undefined || others.length > 0 ? undefined : settingsSite(manifests, settings)
}

/** The packages above the tests belong to the dotted name of the settings, and the folder above them is where it holds. */
function settingsSite(manifests: Manifests, settings: string): DjangoSite | undefined {
  let start = folderOf(folderOf(settings))
  while (start !== '' && manifests.has(joinPath(start, '__init__.py')!)) start = folderOf(start)
  const parts = settings.slice(start === '' ? 0 : start.length + 1, -'.py'.length).split('/')
  if (!parts.every((part) => /^[A-Za-z_]\w*$/.test(part))) return undefined
  return { file: settings, start: start || '.', testEnv: { DJANGO_SETTINGS_MODULE: parts.join('.') } }
}

export function djangoRecipe(recipe: Recipe, { file, start, testEnv }: DjangoSite): Recipe {
  const origin = [...recipe.origin, { file, fact: "Django's test runner" }]
  return { ...recipe, runner: 'django', suite: [start], testEnv, origin }
}
