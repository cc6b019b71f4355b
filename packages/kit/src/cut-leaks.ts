import type { LeakFacts } from './leak-facts.ts'
import { hasWord, leakScan } from './leak-scan.ts'

const SENTENCE = /[^.!?\n]*(?:[.!?](?![\s"')\]])[^.!?\n]*)*(?:[.!?]+["')\]]*[ \t]*|$)/g

/**
 * Cuts what leaks out of a description: each sentence (inside a code block: each line) that quotes the solution, names
 * a hidden test or an id, or speaks of names that exist only inside the solution. The rest keeps its words.
 */
export function cutLeaks(text: string, facts: LeakFacts): string {
  let fenced = false
  const kept = text.split('\n').flatMap((line) => {
    if (/^ {0,3}(?:```|~~~)/.test(line)) {
      fenced = !fenced
      return [line]
    }
    if (!leaks(line, facts)) return [line]
    if (fenced) return []
    const rest = (line.match(SENTENCE) ?? [])
      .filter((sentence) => !leaks(sentence, facts))
      .join('')
      .trimEnd()
    return /[\p{L}\p{N}]/u.test(rest) ? [rest] : []
  })
  return wholeSentences(kept.join('\n'), facts)
    .replace(/^ {0,3}(```|~~~)[^\n]*\n\s*\1[ \t]*$/gm, '')
    .replace(/\n{3,}/g, '\n\n')
    .trim()
}

/** A leak that runs over line ends takes its paragraph with it. */
function wholeSentences(text: string, facts: LeakFacts): string {
  if (leakScan(text, facts).length === 0) return text
  return text
    .split(/\n{2,}/)
    .filter((paragraph) => leakScan(paragraph, facts).length === 0)
    .join('\n\n')
}

function leaks(part: string, facts: LeakFacts): boolean {
  return leakScan(part, facts).length > 0 || facts.goldNames.some((name) => hasWord(part, name))
}
