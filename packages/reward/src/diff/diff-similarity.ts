import { countMatches } from './count-matches.ts'
import { normaliseDiff } from './normalise-diff.ts'
import { trimSpace } from './split-lines.ts'

/** Both texts together may hold this many compared lines; more is `too_large`. */
export const MAX_LINES = 100_000
/** Both texts together may hold this many UTF-16 units (a line may be long); more is `too_large`. */
export const MAX_UNITS = 64 * 1024 * 1024

/** Field names are those of the stored metadata (contract §7.1, step 5). */
export interface Similarity {
  /** `too_large`: the inputs exceed {@link MAX_LINES} or {@link MAX_UNITS}; there is no number then. */
  readonly status: 'ok' | 'too_large'
  /** 0 to 1; null where `status` is `too_large`. */
  readonly similarity: number | null
  readonly pred_lines: number
  readonly oracle_lines: number
  readonly matched_lines: number
  readonly parse_error: string | null
}

/**
 * Diff similarity v0.7: twice the matched lines over all lines, both diffs normalised (contract §7.1). Equals CPython's
 * difflib to the last bit. Not symmetric. Plain text is compared like any other: it shares few lines.
 */
export function diffSimilarity(oracle: string, prediction: string): Similarity {
  if (oracle.length + prediction.length > MAX_UNITS) return tooLarge(0, 0)
  if (trimSpace(prediction) === '') return zero('empty prediction')
  const wanted = normaliseDiff(oracle)
  const given = normaliseDiff(prediction)
  if (wanted.length === 0) return zero('empty oracle after normalization', given.length)
  if (wanted.length + given.length > MAX_LINES) return tooLarge(wanted.length, given.length)
  return similarityOf(countMatches(wanted, given), wanted.length, given.length)
}

export function similarityOf(matched: number, oracleLines: number, predictedLines: number): Similarity {
  return {
    status: 'ok',
    similarity: (2 * matched) / (oracleLines + predictedLines),
    pred_lines: predictedLines,
    oracle_lines: oracleLines,
    matched_lines: matched,
    parse_error: null,
  }
}

export function zero(reason: string, predictedLines = 0): Similarity {
  const base = { status: 'ok', similarity: 0, oracle_lines: 0, matched_lines: 0 } as const
  return { ...base, pred_lines: predictedLines, parse_error: reason }
}

export function tooLarge(oracleLines: number, predictedLines: number): Similarity {
  const base = { status: 'too_large', similarity: null, matched_lines: 0, parse_error: null } as const
  return { ...base, pred_lines: predictedLines, oracle_lines: oracleLines }
}
