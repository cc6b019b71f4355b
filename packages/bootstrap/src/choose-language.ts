import { isCalled, type LanguagePack } from '@r2e/spec'

/** A language this much lighter than the heaviest is not tried. */
const least = 0.25

/**
 * The languages of a tree, in the order in which their recipes are tried: the hinted one alone, else by weight (locks and
 * manifests count, then the share of the code), so that a Python project with a package.json stays Python.
 */
export function chooseLanguages(
  packs: readonly LanguagePack[],
  paths: readonly string[],
  hint: string | undefined,
): readonly LanguagePack[] {
  if (hint !== undefined) return packs.filter((pack) => isCalled(pack, hint))
  const weighed = packs.map((pack) => ({ pack, weight: pack.detect(paths) })).sort((a, b) => b.weight - a.weight)
  const limit = (weighed[0]?.weight ?? 0) * least
  return weighed.filter(({ weight }) => weight > 0 && weight >= limit).map(({ pack }) => pack)
}
