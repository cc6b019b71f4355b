export type TitleKind = 'revert' | 'backport' | 'release' | 'bump' | 'branch_merge'

const PREFIX = '^(?:(?:chore|build|ci|release|deps|feat|fix|docs?)(?:\\([^)]*\\))?!?:\\s*)?(?:\\[[^\\]]*\\]\\s*)?'
const VERSION = 'v?\\d+(?:\\.(?:\\d+|x))+[\\w.+-]*'
const BRANCH =
  '[`\'"]?(?:[\\w.-]+/)?(?:main|master|develop|dev|trunk|stable|staging|next|upstream|HEAD|release(?:[-/][\\w.-]+)?|v?\\d+(?:\\.(?:\\d+|x))+)[`\'"]?'

const KINDS: readonly (readonly [TitleKind, readonly RegExp[]])[] = [
  [
    'revert',
    [pattern('reverts?(?:\\s*:|\\s+(?:["\'“`(#]|(?:commit|pr|pull|merge|changes?)\\b)|\\s+[0-9a-f]{7,40}\\b)')],
  ],
  [
    'backport',
    [
      /^\[?(?:manual(?:ly)?\s+)?back-?port(?:s|ed)?\b[\]:\s#(]/i,
      /^\[?cherry[- ]?pick/i,
      /^\[(?:back-?port\b[^\]]*|v?\d+\.(?:\d+|x)(?:\.(?:\d+|x))?)\]/i,
      /\((?:back-?port|cherry[- ]picked?)\b[^)]*\)\s*$/i,
      /\[(?:back-?port)\b[^\]]*\]\s*$/i,
    ],
  ],
  [
    'release',
    [
      pattern(
        `(?:prepare|cut|tag|publish|draft|make|do|start|set)\\s+(?:for\\s+)?(?:the\\s+)?(?:new\\s+)?(?:release|version)(?=[.:]?$|[.:]?\\s+(?:for\\b|notes|candidate|(?:of\\s+)?v?\\d|\\())`,
      ),
      pattern(`(?:pre-?)?releas(?:e|ing)\\s*:?\\s*(?:version\\s+|candidate\\s+)?(?:\\S+\\s+)?${VERSION}`),
      pattern(`(?:pre-?)${VERSION}\\s+release\\b`),
      pattern(`(?:version\\s+)?${VERSION}\\s*(?:release)?\\s*[.)]?$`),
      pattern('(?:version packages|post-release|prepare (?:the )?next (?:development )?(?:version|iteration))\\b'),
    ],
  ],
  [
    'bump',
    [
      pattern(`bump(?:s|ed|ing)?\\s+(?:the\\s+)?(?:\\S+\\s+)?(?:version\\b|dep(?:endenc|s\\b)|group\\b)`),
      pattern(`(?:bump(?:s|ed|ing)?|upgrade|update)\\s+(?:dependency\\s+)?\\S+\\s+(?:from\\s+\\S+\\s+)?to\\s+v?\\d`),
      pattern('bump(?:s|ed|ing)?\\s+the\\s+\\S+\\s+group\\b'),
      pattern(
        '(?:update|upgrade)s?\\s+(?:all\\s+)?(?:github\\s+actions|dependenc(?:y|ies)|deps|lock\\s?files?|pre-commit\\s+hooks?|requirements)\\b',
      ),
      pattern(`(?:bump|update)\\s+(?:to\\s+)?${VERSION}$`),
    ],
  ],
  [
    'branch_merge',
    [
      /^merge\s+(?:remote-tracking\s+)?(?:branch(?:es)?|tag|commit)\s+['"`]/i,
      new RegExp(
        `^merge\\s+(?:changes\\s+from\\s+)?(?:\\S+\\s+)?(?:branch\\s+)?${BRANCH}\\s+(?:branch\\s+)?(?:in)?to\\s`,
        'i',
      ),
      new RegExp(
        `^merge\\s+(?:branch\\s+)?\\S+\\s+(?:branch\\s+)?(?:in)?to\\s+(?:the\\s+)?${BRANCH}(?=[\\s.,:)]|$)`,
        'i',
      ),
      new RegExp(
        `^(?:re-?)?sync(?:hroni[sz]e|s|ing)?\\s+(?:\\S+\\s+)?(?:with|from|to|into)\\s+(?:the\\s+)?${BRANCH}(?=[\\s.,:)]|$)`,
        'i',
      ),
      /^(?:forward|back)-?merge\b/i,
    ],
  ],
]

function pattern(body: string): RegExp {
  return new RegExp(`${PREFIX}${body}`, 'i')
}

/**
 * What a title says about the kind of change when it is no work of its own. Patterns are anchored and ask for the
 * objects that such changes have (a version, a branch), so that `fix release of lock` is an ordinary change.
 */
export function titleKind(title: string): TitleKind | undefined {
  const text = title.slice(0, 300).trim()
  return KINDS.find(([, patterns]) => patterns.some((one) => one.test(text)))?.[0]
}
