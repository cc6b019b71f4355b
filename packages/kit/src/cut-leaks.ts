import type { LeakFacts } from './leak-facts.ts'
import { hasWord, leakScan } from './leak-scan.ts'
import type { ProblemText } from './problem-text.ts'
import { joinText } from './task-text.ts'

const FENCE = /^ {0,3}(?:```|~~~)/
const BLOCK_START = /^\s*(?:[-*+•]\s|\d+[.)]\s|#{1,6}\s|>|\|)/
const SENTENCE_END = /(?<=[.!?。！？]["')\]`*]{0,3})(?=\s)/

/**
 * Cuts what leaks out of a description: each sentence (inside a code block: each line) that quotes the solution, names
 * a hidden test or an id, or speaks of names that only the solution has. The rest keeps its words and its lines.
 */
export function cutLeaks(text: string, facts: LeakFacts): string {
  const kept = blocksOf(text).flatMap((block) => {
    if (block === '' || !leaks(block, facts)) return [block]
    const parts = FENCE.test(block) ? block.split(/(?<=\n)/) : block.split(SENTENCE_END)
    const rest = parts
      .filter((part) => !leaks(part, facts))
      .join('')
      .trimEnd()
    // A leak that only the whole block shows takes the block with it.
    return /[\p{L}\p{N}]/u.test(rest.replace(/^\s*[`~]{3,}.*$/gm, '')) && !leaks(rest, facts) ? [rest] : []
  })
  const rest = kept
    .join('\n')
    .replace(/\n{3,}/g, '\n\n')
    .trim()
  return leakScan(rest, facts).length === 0 ? rest : ''
}

/** Title and description without leaks. A title may name what the change introduces; a description may not. */
export function statementWithoutLeaks({ title, description }: ProblemText, facts: LeakFacts): string {
  return joinText(cutLeaks(title, { ...facts, goldNames: [] }), cutLeaks(description, facts)).trim()
}

/** List items, paragraphs, headings and code blocks; a blank line is a block of its own. */
function blocksOf(text: string): readonly string[] {
  const blocks: string[] = []
  let fenced = false
  for (const line of text.split('\n')) {
    const last = blocks.at(-1)
    const mark = FENCE.test(line)
    const opens = last === undefined || last === '' || line.trim() === '' || BLOCK_START.test(line) || mark
    if (last !== undefined && (fenced || !opens)) blocks[blocks.length - 1] = `${last}\n${line}`
    else blocks.push(line.trim() === '' ? '' : line)
    if (mark) {
      if (fenced) blocks.push('')
      fenced = !fenced
    }
  }
  return blocks
}

function leaks(part: string, facts: LeakFacts): boolean {
  return leakScan(part, facts).length > 0 || facts.goldNames.some((name) => hasWord(part, name))
}
