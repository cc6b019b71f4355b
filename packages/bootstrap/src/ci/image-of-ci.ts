import type { Recipe } from '@r2e/spec'
import type { CiFacts } from './ci-facts.ts'
import { isResolved } from './unresolved.ts'
import { compareVersions, releaseNumbers } from './version-order.ts'

interface VersionedImage {
  readonly pattern: RegExp
  /** How many numbers of a version the image's tag has. */
  readonly numbers: 1 | 2
  /** Older ones have no image on which today's tools work. */
  readonly oldest: string
}

const images: Readonly<Record<string, VersionedImage>> = {
  javascript: { pattern: /^(node:)(\d+)()$/, numbers: 1, oldest: '14' },
  php: { pattern: /^(php:)(\d+\.\d+)(-cli)$/, numbers: 2, oldest: '7.4' },
  python: { pattern: /^(python:)(3\.\d+)(-slim)$/, numbers: 2, oldest: '3.8' },
  ruby: { pattern: /^(ruby:)(\d+\.\d+)()$/, numbers: 2, oldest: '2.7' },
}

/** Files that name one version. What a language read there is meant, whatever else the tests are run with. */
const versionFiles = new Set([
  '.node-version',
  '.nvmrc',
  '.php-version',
  '.python-version',
  '.ruby-version',
  '.tool-versions',
  'runtime.txt',
])

/**
 * The image for the newest version that the tests are run with, where the recipe's own is newer than every one of them:
 * then the project says of nothing that it works there. Where one is not known or only means "the newest", nothing is said.
 */
export function imageOfCi({ baseImage, language, manifests }: Recipe, { version }: CiFacts): string | undefined {
  const known = Object.hasOwn(images, language) ? images[language] : undefined
  const match = known?.pattern.exec(baseImage)
  if (!known || !match || version === undefined) return undefined
  if (manifests.some((path) => versionFiles.has(path.slice(path.lastIndexOf('/') + 1)))) return undefined
  const { tested } = version.value
  if (tested.some((one) => !isResolved(one) || meansNewest(one, known.numbers))) return undefined
  const tags = tested.flatMap((one) => tagVersion(one, known.numbers) ?? [])
  const [newest] = tags.toSorted((a, b) => compareVersions(b, a))
  if (newest === undefined || compareVersions(newest, match[2]!) >= 0 || compareVersions(newest, known.oldest) < 0)
    return undefined
  return `${match[1]}${newest}${match[3]}`
}

/** `lts/*`, `3`, `3.x`: whatever is there on the day. */
function meansNewest(version: string, numbers: number): boolean {
  const length = releaseNumbers(version)?.length ?? numbers
  return length < numbers || /^(?:lts.*|latest|current|stable|node|head)$/.test(version)
}

function tagVersion(version: string, numbers: number): string | undefined {
  const found = releaseNumbers(version)
  return found !== undefined && found.length >= numbers ? found.slice(0, numbers).join('.') : undefined
}
