import { splitLines, trimSpace } from './split-lines.ts'

/** The lines of a diff that the v0.7 formula compares (contract §7.1, step 2). */
export function normaliseDiff(text: string): string[] {
  const kept: string[] = []
  for (const line of splitLines(text)) {
    if (line.startsWith('diff --git ') || line.startsWith('index ')) continue
    if (line.startsWith('@@') && line.includes('@@', 2)) kept.push('@@')
    else if (line.startsWith('--- ') || line.startsWith('+++ ')) kept.push(fileMarker(line))
    else kept.push(line)
  }
  return kept
}

/** A `--- ` or `+++ ` line without its date. */
export function fileMarker(line: string): string {
  const tab = line.indexOf('\t')
  return trimSpace(tab < 0 ? line : line.slice(0, tab))
}
