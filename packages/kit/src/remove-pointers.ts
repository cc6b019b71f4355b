import { MARK, markPointers } from './pointer-atoms.ts'

const CLOSING =
  '(?:fix(?:e[sd]|ing)?|close[sd]?|closing|resolve[sd]?|resolving|implement(?:s|ed)?|address(?:es|ed)?|complete[sd]?|solve[sd]?)'
const NOUN =
  '(?:(?:the|this|that|these|an?|my|our|its)[ \\t]+)?(?:(?:following|original|previous|earlier|recent|github|upstream|linked|related|associated)[ \\t]+)?(?:issues?|bugs?|tickets?|prs?|mrs?|pull requests?|merge requests?|commits?|discussions?|comments?|threads?|changes?)'
const POINTING = [
  'see(?:[ \\t]+also)?',
  'also',
  'refs?',
  'references?',
  'related(?:[ \\t]+to)?',
  'relates[ \\t]+to',
  'part[ \\t]+of',
  'towards?',
  'follow(?:s|ing)?[- \\t]?up(?:[ \\t]+(?:to|of|on|from|for))?',
  'cf\\.?',
  'supersedes',
  'replaces',
  'depends[ \\t]+on',
  'blocked[ \\t]+by',
  're',
  'reverts?',
  '(?:partial[ \\t]+)?back-?port(?:s|ed)?(?:[ \\t]+(?:of|from))?',
  '\\(?cherry[- ]picked[ \\t]+from',
  'continu(?:es|ation[ \\t]+of)',
  '(?:as[ \\t]+)?(?:discussed|reported|mentioned|described|noted|introduced|added|regressed|seen|raised|suggested|requested|merged|done)[ \\t]+(?:in|by|at|on|with|here)',
  'caused[ \\t]+by',
  'thanks[ \\t]+to',
  'as[ \\t]+(?:per|of)',
  'per',
  'via',
  'links?',
  'e\\.g\\.',
].join('|')
const LEAD = new RegExp(`(?:^|(?<=[\\s([,;:.*_>-]))(?:${POINTING}|${NOUN}|${CLOSING})[ \\t]*:?[ \\t]*$`, 'i')
const CLOSING_LEAD = new RegExp(`(?:^|(?<=[\\s([,;:.*_>-]))${CLOSING}[ \\t]*$`, 'i')
const NOUN_LEAD = new RegExp(`(?:^|(?<=\\s))(${NOUN})[ \\t]*$`, 'i')
const SENTENCE_START = /^[ \t]*(?:[-*+][ \t]+)?$|[.!?][ \t]+$/
const SUBJECT =
  /(?:^|(?<=[\s([,;:.]))(?:and|or|also|but|it|this|that|which|to|should|will|would|may|might|properly|fully|partially|partly|hopefully|really|finally|actually|mostly|they|pr|mr|commit|change|patch|pull request)[ \t]*$/i
const PREPOSITION =
  /(?:^|(?<=[\s,]))(?:in|by|from|with|at|of|to|on|since|after|before|for|like|under|and|or|until|against|alongside|than|the|this|a|an)[ \t]*$/i
const TAIL =
  /^[ \t]*(?:follow-?ups?\b|(?:for|to see)[ \t]+(?:the[ \t]+)?(?:more[ \t]+|further[ \t]+|full[ \t]+|additional[ \t]+|some[ \t]+)?(?:details?|context|infos?|information|discussion|background|motivation|rationale|history|reference)\b)/i
const CONTINUES = /^[ \t]*\n?[ \t]*[a-z`"']/
const LIST = new RegExp(
  `${MARK}[\\s,;&+|/]{0,8}(?:(?:and|or|also|then)\\s{1,3})?(?:(?:${CLOSING}|refs?|see|issues?|prs?)[\\s:]{1,3})?${MARK}`,
  'gi',
)
const PAIRS: Readonly<Record<string, string>> = { '(': ')', '[': ']', '{': '}', '`': '`', '"': '"', "'": "'" }

/** Takes pointers out of prose together with the words that only lead to them, leaving no fragment. */
export function removePointers(prose: string): string {
  let marked = markPointers(prose)
  for (let before = ''; before !== marked; ) {
    before = marked
    marked = marked.replace(LIST, MARK)
  }
  const [first = '', ...others] = marked.split(MARK)
  return others.reduce(join, first)
}

/** Joins what stood left and right of one pointer. `left` is settled, `right` ends at the next pointer. */
function join(left: string, right: string): string {
  const start = left.lastIndexOf('\n') + 1
  const tail = right.replace(TAIL, '')
  const line = settleLeft(left.slice(start), tail)
  return closeGap(left.slice(0, start), line, tail)
}

function settleLeft(line: string, right: string): string {
  const instead = CONTINUES.test(right) ? standIn(line) : undefined
  if (instead !== undefined) return instead
  let rest = line
  let led = false
  for (let round = 0; round < 12; round++) {
    const shorter = rest.replace(LEAD, '')
    if (shorter === rest) break
    led = true
    rest = shorter
  }
  for (let round = 0; led && round < 6; round++) rest = rest.replace(SUBJECT, '')
  for (let round = 0; round < 2; round++) rest = rest.replace(PREPOSITION, '')
  return rest
}

/** Where the sentence needs the pointer, words that stand for it: `Fixes a problem where …`. */
function standIn(line: string): string | undefined {
  if (CLOSING_LEAD.test(line)) return `${line.trimEnd()} a problem`
  const noun = NOUN_LEAD.exec(line)
  const before = noun ? line.slice(0, noun.index) : line
  if (noun && (CLOSING_LEAD.test(before) || /^(?:the|this|an?)\s/i.test(noun[1]!))) return line.trimEnd()
  if (!SENTENCE_START.test(before)) return undefined
  return `${before}An earlier ${/issue|bug|ticket/i.test(noun?.[1] ?? '') ? 'report' : 'change'}`
}

function closeGap(above: string, line: string, right: string): string {
  let left = line
  let rest = right
  for (;;) {
    const close = PAIRS[left.trimEnd().at(-1) ?? '']
    if (close === undefined || !rest.trimStart().startsWith(close)) break
    left = left.trimEnd().slice(0, -1)
    rest = rest.trimStart().slice(1)
  }
  left = left.replace(/[ \t]*[,;:–—-]?[ \t]*$/, (gap) => (gap.trim() === '' || /^[ \t]*$/.test(left) ? gap : ''))
  const empty =
    /^[\s>*+•\d.#-]*$/.test(left) && (left.trim() !== '' || line.trim() !== '' || above === '' || above.endsWith('\n'))
  const end = rest.indexOf('\n')
  const rightLine = end < 0 ? rest : rest.slice(0, end)
  if (empty && /^[\s.,;:!?)\]*_>-]*$/.test(rightLine)) return above + (end < 0 ? '' : rest.slice(end + 1))
  if (empty) return above + left + rest.replace(/^[\s.,;:!?)\]–—-]+/, '')
  left = left.trimEnd()
  if (/[.!?]$/.test(left)) rest = rest.replace(/^\s*[.,;:!?]+/, '')
  return above + left + (/^\s*[.,;:!?)\]]/.test(rest) ? rest.trimStart() : rest.replace(/^[ \t]+/, ' '))
}
