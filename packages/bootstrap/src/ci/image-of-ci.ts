import type { CiFacts, Fact } from './ci-facts.ts'
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

/**
 * The image for the newest version that the tests are run with, where the recipe's own is newer than every one of them:
 * then the project says of nothing that it works there. A version that only says "the newest" says nothing.
 */
export function imageOfCi(baseImage: string, facts: CiFacts, language: string): Fact<string> | undefined {
  const known = Object.hasOwn(images, language) ? images[language] : undefined
  const match = known?.pattern.exec(baseImage)
  if (!known || !match || facts.version === undefined) return undefined
  const { file, job, value } = facts.version
  const tested = [...value.tested, value.chosen].flatMap((version) => tagVersion(version, known.numbers) ?? [])
  const isOpen = value.tested.some((version) => !isResolved(version) || meansNewest(version, known.numbers))
  const newest = tested.reduce<string | undefined>(
    (best, next) => (best !== undefined && compareVersions(best, next) >= 0 ? best : next),
    undefined,
  )
  if (
    isOpen ||
    newest === undefined ||
    compareVersions(newest, match[2]!) >= 0 ||
    compareVersions(newest, known.oldest) < 0
  )
    return undefined
  return { value: `${match[1]}${newest}${match[3]}`, file, job }
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
