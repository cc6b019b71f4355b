interface Heading {
  /** 1–6 as in Markdown, 7 for a bold line, 8 for a plain label. */
  readonly level: number
  readonly title: string
  /** Lines that the heading takes. */
  readonly height: number
  /** Text behind a label on its own line. */
  readonly rest: string
}

const CUT = new RegExp(
  `^(?:(?:how (?:has this been|was this|to|did you|i)|what|steps to) )?(?:${[
    'test(?:s|ed|ing)?(?: ?plan| steps| instructions| results?| cases?| coverage| strategy| notes?| performed| done| it| this| added| updated| this change)*',
    '(?:added|new|updated|unit|regression|manual|automated|integration) tests?(?: added)?',
    'qa(?: steps| notes)?',
    'verif(?:y|ied|ication)(?: steps)?',
    'validation',
    '(?:pr |pull request |contributor |author |review(?:er)? |submission )?check ?list',
    'change ?log(?: entr(?:y|ies))?',
    'release ?notes?',
    'changes?(?: made| proposed)?(?: in this (?:pr|pull request|commit))?',
    "what(?:'s| has| is)? changed",
    'changed',
    '(?:proposed |the )?(?:fix|solution|approach|implementation)(?: details| notes| strategy)?',
    'implementation details',
    'how it works',
    'files? changed',
    'types? of (?:change|pr|contribution)s?',
    '(?:special )?notes? (?:for|to) (?:your |the )?reviewers?',
    'reviewers?(?: notes)?',
    'screen ?shots?(?: or .*)?',
    '(?:related |linked |fixed |closes |relevant )?(?:issues?|prs?|pull requests?|tickets?|links?)(?: addressed| fixed)?',
    'which issues?.*fix(?:es)?.*',
    'related(?: to)?',
    'references?',
    'to ?do',
    'conflicts',
    'ai (?:disclosure|usage|assistance).*',
    'deploy(?:ment)?(?: notes| plan)?',
    'rollback plan',
    'breaking changes?\\?',
    'pruebas?(?: .*)?|cambios|lista de (?:control|verificación)',
    'tests? (?:hinzugefügt|ajoutés)|testplan|änderungen|prüfliste|plan de tests?|liste de contrôle|modifications',
    '测试(?:计划|用例|方法|说明)?|变更(?:日志|说明)|更新日志|修改内容|检查清单|テスト(?:計画|方法|内容)?|変更(?:履歴|点|内容)|チェックリスト|테스트(?: 계획)?|변경 ?사항|план тестирования|тесты|изменения',
  ].join('|')})$`,
  'iu',
)
/** Of a label with text behind it on its line (`Test plan: run it`) only these are procedure; `Fix: …` is a title. */
const CUT_LABEL =
  /^(?:test ?plan|tests? (?:added|done|performed|steps)|tested|testing|how (?:was this|has this been|to) test(?:ed)?|verification|change ?log(?: entry)?|release ?notes?|check ?list|测试|更新日志|変更履歴)$/iu
const TESTS_ADDED =
  /^(?:[-*+•][ \t]+)?(?:and |also |i |we )?(?:add(?:s|ed|ing)?|includ(?:es?|ed|ing)|wr(?:ote|ite)|extend(?:s|ed)?|updat(?:es?|ed)|new|cover(?:s|ed)?|expand(?:s|ed)?|adjust(?:s|ed)?)[ \t]+(?:[\w`-]+[ \t]+){0,4}tests?(?:[ \t]+(?:cases?|coverage|files?|suites?))?\b/i
const CHECK_ITEM = /^\s*(?:[-*+•]|\d+[.)])\s*\[[ xX✓✔]?\](?:\s|$)/

/**
 * Drops the parts of a description that speak of tests, of how the change was made and of procedure: sections under
 * any style of heading, checklists, and sentences that announce new tests.
 */
export function cutSections(text: string): string {
  const lines = text.split('\n')
  const code = codeLines(lines)
  const kept: string[] = []
  for (let at = 0; at < lines.length; ) {
    if (code[at]) {
      kept.push(lines[at++]!)
      continue
    }
    const heading = headingAt(lines, at)
    if (heading && (heading.rest === '' ? CUT : CUT_LABEL).test(heading.title))
      at = sectionEnd({ lines, code }, at, heading)
    else if (CHECK_ITEM.test(lines[at]!)) at = itemEnd(lines, at)
    else if (TESTS_ADDED.test(lines[at]!.trim()) && kept.some((line) => line.trim() !== '')) at = itemEnd(lines, at)
    else kept.push(lines[at++]!)
  }
  return kept.join('\n')
}

/** Drops headings under which nothing is left. */
export function dropEmptyHeadings(text: string): string {
  const lines = text.split('\n')
  const kept: string[] = []
  for (let at = lines.length - 1, open = true, level = 0; at >= 0; at--) {
    const line = lines[at]!
    const mark =
      /^ {0,3}(#{1,6})\s+\S/.exec(line)?.[1] ?? (/^\s*\*\*[^*]+\*\*\s*:?\s*$/.test(line) ? '#######' : undefined)
    if (mark !== undefined && open && mark.length >= level) continue
    if (mark !== undefined) level = mark.length
    if (line.trim() !== '') open = mark !== undefined
    kept.push(line)
  }
  return kept.reverse().join('\n')
}

function headingAt(lines: readonly string[], at: number): Heading | undefined {
  const line = lines[at]!
  if (line.length > 200) return undefined
  const atx = /^ {0,3}(#{1,6})(?:\s+|(?<=##)(?=[^\d#]))(.+?)\s*#*\s*$/.exec(line)
  if (atx) return { level: atx[1]!.length, title: normalized(atx[2]!), height: 1, rest: '' }
  const html = /^\s*<(h[1-6]|b|strong|summary)>(.+?)<\/\1>\s*$/i.exec(line)
  if (html)
    return { level: /\d/.test(html[1]!) ? Number(html[1]![1]) : 7, title: normalized(html[2]!), height: 1, rest: '' }
  const wiki = /^(?:h([1-6])\.\s+(.+)|(={1,6})\s*(\S.*?)\s*=+)$/.exec(line)
  if (wiki)
    return {
      level: Math.max(2, Number(wiki[1] ?? wiki[3]!.length)),
      title: normalized(wiki[2] ?? wiki[4]!),
      height: 1,
      rest: '',
    }
  const under = lines[at + 1] ?? ''
  if (line.trim() !== '' && /^(?:={3,}|-{3,}|~{3,})\s*$/.test(under))
    return { level: under[0] === '=' ? 1 : 2, title: normalized(line), height: 2, rest: '' }
  const bold = /^\s*(?:[-*]\s+)?(\*\*|__)(.{1,80}?)\1\s*:?\s*(.*)$/.exec(line)
  if (bold && (bold[3] === '' || /:\s*$/.test(bold[2]!) || /(\*\*|__)\s*:/.test(line)))
    return { level: 7, title: normalized(bold[2]!), height: 1, rest: bold[3]! }
  const label = /^\s*(?:[-*]\s+)?([\p{L}][\p{L}\p{N} '/&-]{1,40}?)\s*[:：]\s*(.*)$/u.exec(line)
  return label ? { level: 8, title: normalized(label[1]!), height: 1, rest: label[2]! } : undefined
}

/** Which lines stand in a fenced block, the fences included. */
function codeLines(lines: readonly string[]): readonly boolean[] {
  let fence: string | undefined
  return lines.map((line) => {
    const mark = /^ {0,3}(`{3,}|~{3,})/.exec(line)?.[1]
    if (fence === undefined) {
      fence = mark
      return mark !== undefined
    }
    if (mark?.startsWith(fence) && line.trim() === mark) fence = undefined
    return true
  })
}

interface MarkedLines {
  readonly lines: readonly string[]
  readonly code: readonly boolean[]
}

function sectionEnd({ lines, code }: MarkedLines, start: number, heading: Heading): number {
  let at = start + heading.height
  if (heading.rest !== '') return itemEnd(lines, start)
  for (let blank = true; at < lines.length; at++) {
    const line = lines[at]!
    const next = code[at] ? undefined : headingAt(lines, at)
    if (
      next &&
      (next.level <= Math.min(heading.level, 7) || (heading.level >= 7 && next.level === 8 && next.rest === ''))
    )
      return at
    const block = code[at] || /^\s*(?:[-*+•]|\d+[.)])\s|^\s+\S|^\s*```|^\s*$/.test(line)
    if (heading.level === 8 && blank && !block && at > start + 2) return at
    blank = line.trim() === ''
  }
  return at
}

/** A list item or paragraph: to the next blank line, item or unindented line. */
function itemEnd(lines: readonly string[], start: number): number {
  let at = start + 1
  const item = /^\s*(?:[-*+•]|\d+[.)])\s/.test(lines[start]!)
  while (at < lines.length && lines[at]!.trim() !== '') {
    if (
      /^\s*(?:[-*+•]|\d+[.)])\s/.test(lines[at]!) ||
      (item && !/^\s/.test(lines[at]!)) ||
      (headingAt(lines, at)?.level ?? 8) < 8
    )
      break
    at++
  }
  return at
}

function normalized(title: string): string {
  return title
    .replace(/[*_`~]/g, '')
    .replace(/^[^\p{L}]+|[^\p{L}\p{N}?]+$/gu, '')
    .replace(/\?$/, '')
    .replace(/\s+/g, ' ')
    .toLowerCase()
}
