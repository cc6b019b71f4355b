/** Stands for a removed pointer until the words around it are settled. Never in the input: it is stripped first. */
export const MARK = '\uE000'

const URL_TEXT = /\bhttps?:\/\/[^\s<>"'`\]|]+/gi
const MARKDOWN_LINK =
  /(!?)\[([^[\]\n]{0,300})\]\(\s*<?([^()\s<>]{1,500}(?:\([^()\s]{0,200}\)[^()\s<>]{0,200})?)>?(?:\s+"[^"\n]{0,200}")?\s*\)/g
const LINK_DEFINITION = /^ {0,3}\[([^\]\n]{1,100})\]:[ \t]+(\S{1,500})[^\n]{0,200}$/gm
const REFERENCE_LINK = /\[([^[\]\n]{1,300})\]\[([^[\]\n]{0,100})\]/g
const COMMIT_ID = /(?<![\w-])(?=[0-9a-f]{0,39}\d)(?=[0-9a-f]{0,39}[a-f])[0-9a-f]{7,40}(?![\w-])/g
const NUMBERED = [
  /(?<![\w./-])[\w.-]{1,60}\/[\w./-]{1,80}[#!@](?:\d+\b|[0-9a-f]{7,40}\b)/g,
  /(?<![\w#&])[A-Za-z][\w.-]{1,60}[#!]\d+\b/g,
  /(?<![\w&#])#\d{1,7}\b(?![-\w])/g,
  /(?<![\w-])(?:GH|gh|bpo|BPO)-\d+\b/g,
  /(?<![\w.!])!\d{1,7}\b(?!\w)/g,
  /(?<![\w-])(?:issues?|bugs?|tickets?|PRs?|MRs?|pull[- ]requests?|merge[- ]requests?)[ _-]{1,2}(?:no\.? ?)?#?\d{1,7}\b(?!\.\d)/gi,
  /(?<=(?:^|[\s(])(?:fix(?:e[sd])?|close[sd]?|resolve[sd]?|refs?)(?:: ?| ))(?!UTF|ISO|SHA|MD|RFC|CVE|PEP|TLS|AES|CP|GB)[A-Z][A-Z0-9]{1,9}-\d{1,6}(?=\s*(?:[.,;)]|$))/gim,
  /(?<=^(?:fix(?:e[sd])?|close[sd]?|resolve[sd]?)[ \t]{1,2})\d{2,7}(?=[ \t]*(?:[-:–—]|$))/gim,
]
const POINTER_PATH =
  /\/(?:issues?|pull|pulls|pull-requests|merge_requests|discussions|tickets?|bugs?|\+bug)\/#?\d+|\/(?:commits?|compare|changeset|tree|blob|raw|src\/commit)\/[^\s?#]{0,200}[0-9a-f]{7,}|\/compare\/|[?&](?:id|bug_id|issue)=\d+|\/browse\/[a-z][a-z0-9]+-\d+|\/issue\d+|\/c\/\S{1,200}\/\+\/\d+|\/d\d{3,}(?:[/?#]|$)|\/t\/[\w-]+\/\d+/
const NOUN_ONLY =
  /^(?:(?:the|this|that|these|my|an?|original|related|linked|upstream|github|here|link|following|previous|comment|see|in)\s*)*(?:issues?|bugs?|tickets?|prs?|mrs?|pull requests?|merge requests?|commits?|discussions?|comments?|threads?|changes?)?$/i

/**
 * Puts {@link MARK} in place of everything that leads to the recorded change: links (a redirect counts as its target),
 * issue and request numbers of any forge, commit ids. Composite forms go first, so that no half of one is left.
 */
export function markPointers(prose: string): string {
  const gone = new Set<string>()
  let text = prose.replace(LINK_DEFINITION, (whole, key: string, url: string) => {
    if (!isPointerUrl(url)) return whole
    gone.add(key.toLowerCase())
    return ''
  })
  text = text.replace(MARKDOWN_LINK, (whole, image: string, label: string, url: string) => {
    if (image) return ''
    return isPointerUrl(url) ? withoutTarget(label) : whole
  })
  text = text.replace(/<\s*(https?:\/\/[^\s<>]{1,500})\s*>/gi, (whole, url: string) =>
    isPointerUrl(url) ? MARK : whole,
  )
  text = text.replace(REFERENCE_LINK, (whole, label: string, key: string) =>
    gone.has((key || label).toLowerCase()) || markAtoms(label).includes(MARK) ? withoutTarget(label) : whole,
  )
  return markAtoms(text)
}

/** The words of a link whose target is gone; words that only point are gone too. */
function withoutTarget(label: string): string {
  const words = markAtoms(label).trim()
  return words.includes(MARK) || NOUN_ONLY.test(words.replace(/[`*_]/g, '')) ? MARK : words
}

/** Inside code blocks only what cannot be part of a program is taken out. */
export function withoutPointerLinks(code: string): string {
  return code.replace(URL_TEXT, (url) => (isPointerUrl(url) ? '' : url)).replace(COMMIT_ID, '')
}

function markAtoms(prose: string): string {
  let text = prose.replace(URL_TEXT, (whole) => {
    const url = whole.replace(/[.,;:!?*_)]+$/, '')
    return isPointerUrl(url) ? MARK + whole.slice(url.length) : whole
  })
  text = outsideUrls(text, (part) => NUMBERED.reduce((rest, one) => rest.replace(one, MARK), part))
  return outsideUrls(text, (part) => part.replace(COMMIT_ID, MARK))
}

function outsideUrls(text: string, edit: (part: string) => string): string {
  let out = ''
  let at = 0
  for (const match of text.matchAll(URL_TEXT)) {
    out += edit(text.slice(at, match.index)) + match[0]
    at = match.index + match[0].length
  }
  return out + edit(text.slice(at))
}

function isPointerUrl(url: string): boolean {
  let plain = url
  for (let round = 0; round < 2; round++) {
    try {
      plain = decodeURIComponent(plain)
    } catch {
      break
    }
  }
  return POINTER_PATH.test(plain.toLowerCase())
}
