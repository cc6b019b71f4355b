import type { RowFor, ToolVersion } from './job.ts'
import { isResolved } from './unresolved.ts'
import { compareVersions, isReleased } from './version-order.ts'

/** One row of a job's matrix. */
export interface Row {
  readonly versions: readonly NamedVersion[]
  /** Place of its system, the lowest first. */
  readonly rank: number
  /** How many values an `include` added: the fewer, the plainer. */
  readonly extras: number
}

export type NamedVersion = Omit<ToolVersion, 'tested'>

export interface ChosenRow<Chosen extends Row> {
  readonly row: Chosen
  readonly rowFor: RowFor
}

/**
 * The row that stands for a job: for each language whose version the rows have, the one with its newest release; the
 * first language decides for all languages that have none.
 */
export function chooseRows<Chosen extends Row>(rows: readonly Chosen[]): ChosenRow<Chosen>[] {
  const languages = [...new Set(rows.flatMap(({ versions }) => versions.map(({ language }) => language)))]
  const [first, ...others] = languages
  const row = best(rows, first)
  if (row === undefined) return []
  const own = others.flatMap((language) => {
    const chosen = best(rows, language)
    return chosen === undefined || chosen === row ? [] : [{ row: chosen, rowFor: { only: language, except: [] } }]
  })
  return [{ row, rowFor: { except: own.map(({ rowFor }) => rowFor.only) } }, ...own]
}

function best<Chosen extends Row>(rows: readonly Chosen[], language: string | undefined): Chosen | undefined {
  const version = (row: Row) => (language === undefined ? '' : (versionOf(row, language) ?? ''))
  const [first] = rows.toSorted(
    (a, b) =>
      a.rank - b.rank ||
      Number(isReleased(version(b))) - Number(isReleased(version(a))) ||
      (isReleased(version(a)) && isReleased(version(b)) ? compareVersions(version(b), version(a)) : 0) ||
      a.extras - b.extras,
  )
  return first
}

/** Of several steps that set up a language, the first that says its version. */
function versionOf({ versions }: Row, language: string): string | undefined {
  const all = versions.filter((entry) => entry.language === language).map(({ version }) => version)
  return all.find(isResolved) ?? all[0]
}

/** The versions of a row, each with those that any row has. */
export function testedVersions(chosen: Row, rows: readonly Row[]): ToolVersion[] {
  const languages = [...new Set(chosen.versions.map(({ language }) => language))]
  return languages.map((language) => ({
    language,
    version: versionOf(chosen, language)!,
    tested: [...new Set(rows.flatMap((row) => versionOf(row, language) ?? []))],
  }))
}
