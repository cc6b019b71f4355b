/** Conventional-commit types that are not fixes (contract §4.4), with the spellings in use. */
const NON_FIX = new Set(
  'chore docs doc feat feature features refactor style test tests testing ci build perf revert release deps'.split(' '),
)
const TYPED = /^(?:\[?)([A-Za-z]+)(?:\]?)\s*(?:\([^)]{0,60}\))?!?:\s*(?:\([^)]{0,60}\)\s*)?/
const FIX_TYPES = new Set(['fix', 'fixes', 'bugfix', 'bug', 'hotfix'])

const NO_PRODUCT =
  '(?:(?:a|an|the|some|few|minor|more|all|broken|wrong)\\s+)*(?:typos?|spelling|grammar|wording|lint(?:s|ing|er)?|format(?:ting)?|indent(?:ation)?|white-?space|docs?|documentation|docstrings?|comments?|readme|changelog|(?:unit\\s+)?tests?|flak\\w+|ci|build|workflows?|merge|imports?\\s+order|coverage|links?|copyright|licen[cs]e)\\b(?!\\s+(?:of|that|which|when|rules?|runners?|pars\\w+|handling|options?|flags?|commands?)\\b)'
const NOT_A_BUG = new RegExp(`\\bfix(?:e[sd]|ing)?\\b\\s+${NO_PRODUCT}`, 'gi')
const NO_BUG_TITLE = new RegExp(`^${NO_PRODUCT}`, 'i')
/** Words that in the body too only a fix has. */
const BODY_SIGNAL =
  /\bfix(?:e[sd])?:?\s+(?:[\w./-]+)?#\d|\b(?:bugs?|regressions?|crash(?:es|ed)?|panic(?:s|ked)|segfaults?|tracebacks?|incorrect(?:ly)?|wrong(?:ly)?)\b/i
const SIGNAL =
  /\b(?:fix(?:e[sd]|ing)?(?![-\w])(?!\s+(?:width|size|point|length))|bug(?:s|fix(?:es)?)?|hot-?fix|regression|crash(?:es|ed|ing)?|panics?|segfaults?|broken|breaks|wrong(?:ly)?|incorrect(?:ly)?|inconsisten(?:t|cy)|misbehav\w+|leak(?:s|ed|ing|age)?|race\s+condition|data\s+race|dead-?lock\w*|hangs?|tracebacks?|off-by-one|overflow\w*|no\s+longer|does(?:n't|\s+not)|do(?:n't|\s+not)|should(?:n't|\s+not)?|prevent(?:s|ed|ing)?|avoid(?:s|ed|ing)?|correct(?:s|ed|ly)|(?<=^|:\s)correct|repair\w*|restor(?:e|es|ed)|missing|properly|spurious|unexpected(?:ly)?|(?:nil|null)\s+(?:pointer|deref\w*))\b/i

/** The conventional-commit type of a subject in lower case: `fix` of `fix(parser)!: …`. */
export function changeType(subject: string): string | undefined {
  const type = TYPED.exec(subject)?.[1]?.toLowerCase()
  return type !== undefined && (NON_FIX.has(type) || FIX_TYPES.has(type)) ? type : undefined
}

/** The subject without its conventional-commit prefix; other prefixes (`net/http:`) carry meaning and stay. */
export function withoutType(subject: string): string {
  return changeType(subject) === undefined ? subject : subject.replace(TYPED, '')
}

export function isNonFixType(type: string | undefined): boolean {
  return type !== undefined && NON_FIX.has(type)
}

/** Whether the text says that something was wrong. Fixing typos, tests, builds or documents does not count. */
export function hasFixSignal(subject: string, body = ''): boolean {
  const type = changeType(subject)
  const text = subject.slice(0, 1000).replace(NOT_A_BUG, ' ')
  if (type !== undefined && FIX_TYPES.has(type)) return !NO_BUG_TITLE.test(withoutType(subject))
  return SIGNAL.test(text) || BODY_SIGNAL.test(body.slice(0, 20_000))
}

/** What kind of work a change is, for the task's category. */
export function changeCategory(subject: string, body = ''): 'bugfix' | 'feature' | 'refactor' {
  const type = changeType(subject)
  if (
    type === 'refactor' ||
    /^(?:refactor|clean(?:\s|-)?up|simplify|rename|move|extract|deduplicate)\b/i.test(withoutType(subject))
  )
    return 'refactor'
  if (isNonFixType(type)) return 'feature'
  return hasFixSignal(subject, body) ? 'bugfix' : 'feature'
}
