import { INTERFACE_HEADING, leakFacts, leakScan } from '@r2e/kit'
import { type Draft, type FileChange, pathFromBytes, type Skip, skip } from '@r2e/spec'
import type { CandidateContext } from './context.ts'

/**
 * The final text may hold no gold line, hidden test or path (contract §3), whatever pipeline wrote it. Names in the
 * interface note are given on purpose.
 */
export function leakInText(context: GateContext, id: string, draft: Draft): Skip | undefined {
  const source = sections(draft.solution).filter(({ path }) => path === undefined || context.role(path) === 'source')
  const facts = leakFacts({
    source: source.map(({ path = '', patch }) => ({ path, patch })) as FileChange[],
    hidden: draft.hidden,
    ids: [],
    languages: context.ports.languages,
  })
  const [text] = draft.instruction.split(INTERFACE_HEADING)
  const [first] = leakScan(text ?? '', facts)
  return first && skip(id, 'leak_in_text', `${first.kind}: ${JSON.stringify(first.match.slice(0, 120))}`)
}

interface GateContext extends Pick<CandidateContext, 'role'> {
  readonly ports: Pick<CandidateContext['ports'], 'languages'>
}

/** The file sections of a patch with the path of each; undefined where git had to quote it. */
function sections(patch: Uint8Array): { path: string | undefined; patch: Uint8Array }[] {
  const bytes = Buffer.from(patch.buffer, patch.byteOffset, patch.byteLength)
  const starts: number[] = []
  for (let at = bytes.indexOf('diff --git '); at >= 0; at = bytes.indexOf('\ndiff --git ', at)) {
    if (bytes[at] === 10) at++
    starts.push(at)
  }
  return starts.map((start, index) => {
    const section = bytes.subarray(start, starts[index + 1] ?? bytes.length)
    // git ends a name that holds a blank with a tab
    const [, name] = /^(?:\+\+\+ b|--- a)\/([^\t\n]*)\t?$/m.exec(section.toString('latin1')) ?? []
    return { path: name && pathFromBytes(Buffer.from(name, 'latin1')), patch: section }
  })
}
