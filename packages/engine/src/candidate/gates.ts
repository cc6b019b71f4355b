import { leakScan } from '@r2e/kit'
import { decodeUtf8, type Draft, type Skip, skip } from '@r2e/spec'

export interface LeakContext {
  readonly id: string
  /** Fail-to-pass ids, known after observation. */
  readonly hiddenIds: readonly string[]
}

/** The final text may hold no gold line, hidden test or fixing id (contract §3), whatever wrote it. */
export function leakInText(draft: Draft, { id, hiddenIds }: LeakContext): Skip | undefined {
  const findings = leakScan({
    text: draft.instruction,
    goldLines: addedLines(draft.solution),
    hiddenIds,
    hiddenPaths: draft.hidden.map((edit) => edit.path),
    ids: [],
  })
  const [first] = findings
  return first && skip(id, 'leak_in_text', `${first.kind}: ${JSON.stringify(first.text.slice(0, 80))}`)
}

function addedLines(patch: Uint8Array): string[] {
  return decodeUtf8(patch)
    .split('\n')
    .filter((line) => line.startsWith('+') && !line.startsWith('+++ '))
    .map((line) => line.slice(1))
}
