import { capText } from './cap-text.ts'
import { cutSections, dropEmptyHeadings } from './cut-sections.ts'
import { MARK, withoutPointerLinks } from './pointer-atoms.ts'
import { removePointers } from './remove-pointers.ts'

/** Longest instruction text, in characters (contract §3). */
export const INSTRUCTION_LIMIT = 4000
/** More of a text is never looked at. */
const READ_LIMIT = 20_000

const PEOPLE =
  /^[ \t]*(?:co-authored-by|signed-off-by|(?:code-)?reviewed-by|acked-by|tested-by|reported-(?:and-tested-)?by|suggested-by|requested-by|helped-by|mentored-by|approved-by|merged-by|committed-by|authored-by|assisted-by|generated-by|on-behalf-of|cc|change-id|reviewed-on|reviewed-at|git-svn-id|gitorigin-revid|piperorigin-revid|differential revision|pull-request|pr-url|pr|commit-queue|auto-submit|cr-commit-position|see-also|link)[ \t]*:[^\n]*\n?/gim
const MACHINE =
  /^[^\n]*(?:generated (?:with|by) \[?(?:claude|copilot|cursor|codex|chatgpt|devin|aider|gemini|amp)|\(cherry picked from commit [^)]*\)|this reverts commit|see merge request)[^\n]*\n?/gim
const PLACEHOLDER =
  /^[ \t]*(?:\(?no (?:description|summary|details?)(?: (?:provided|given|available))?\)?|n\/?a|none|tbd|todo|wip|\.+|<!--|-+|_+|\*{3,})[ \t.]*$/gim
const HTML_TAG =
  /<\/?(?:details|summary|br|p|div|span|a|b|i|em|strong|sub|sup|kbd|hr|center|h[1-6]|ul|ol|li|table|tr|td|th|tbody|thead)\b[^<>\n]{0,300}>/gi
const IMAGE = /!\[[^\]\n]{0,300}\]\([^)\n]{0,500}\)|!\[[^\]\n]{0,300}\]\[[^\]\n]{0,100}\]|<img\b[^<>]{0,1000}>/gi
const CONFLICTS = /^#?[ \t]*Conflicts:[ \t]*\n(?:#?[ \t]+\S[^\n]*\n?)*/gm
const INVISIBLE =
  /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f\u00ad\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff\ue000]/g

/**
 * Turns the text of an issue, a request or a commit into a problem statement: without pointers to the recorded change
 * (numbers, links, commit ids, trailers), without procedure (checklists, test plans, change logs, comments), at most
 * {@link INSTRUCTION_LIMIT} characters, cut at a sentence end. May be empty. What it removes it removes whole.
 */
export function cleanInstruction(source: string): string {
  let text = source.slice(0, READ_LIMIT).replace(/\r\n?/g, '\n').replace(INVISIBLE, '').toWellFormed()
  text = outsideCode(text, (prose) => prose.replace(/<!--[\s\S]*?(?:-->|$)/g, ''))
  text = cutSections(
    outsideCode(text, (prose) => prose.replace(CONFLICTS, '').replace(PEOPLE, '').replace(MACHINE, '')),
  )
  text = outsideCode(
    text,
    (prose) =>
      removePointers(prose.replace(IMAGE, '').replace(HTML_TAG, '')).replaceAll(MARK, '').replace(PLACEHOLDER, ''),
    withoutPointerLinks,
  )
  return capText(tidied(dropEmptyHeadings(text)), INSTRUCTION_LIMIT)
}

function tidied(text: string): string {
  return text
    .replace(/[ \t]+$/gm, '')
    .replace(/^[ \t]*[-*+•]$/gm, '')
    .replace(/\n{3,}/g, '\n\n')
    .trim()
}

/** Edits prose and code blocks (fences) apart. */
function outsideCode(text: string, prose: (part: string) => string, code = (part: string) => part): string {
  const parts: { fence: string | undefined; lines: string[] }[] = [{ fence: undefined, lines: [] }]
  for (const line of text.split('\n')) {
    const part = parts.at(-1)!
    const mark = /^ {0,3}(`{3,}|~{3,})/.exec(line)?.[1]
    if (part.fence === undefined && mark !== undefined) parts.push({ fence: mark, lines: [line] })
    else if (part.fence !== undefined && mark?.startsWith(part.fence) && line.trim() === mark) {
      part.lines.push(line)
      parts.push({ fence: undefined, lines: [] })
    } else part.lines.push(line)
  }
  return parts
    .filter((part) => part.lines.length > 0)
    .map(({ fence, lines }) => (fence === undefined ? prose : code)(lines.join('\n')))
    .join('\n')
}
