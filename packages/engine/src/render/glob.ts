/** A pattern of gitignore syntax; undefined where it is none: it matches nothing. */
export type Glob = readonly Token[] | undefined

type Token =
  /** One character. */
  | { readonly kind: 'one'; readonly accepts: (character: string) => boolean }
  /** Any number of them. */
  | { readonly kind: 'run'; readonly accepts: (character: string) => boolean }
  /** The next `count` tokens may be left out. */
  | { readonly kind: 'option'; readonly count: number }

const LONGEST = 1000
const anything = () => true
const withinFolder = (character: string) => character !== '/'

/** `**` crosses folders; `*`, `?` and a class do not. */
export function parseGlob(text: string): Glob {
  if (text.length > LONGEST) return undefined
  try {
    return (text.match(/\*\*\/|\/\*\*$|\*+|\?|\[!?\]?[^\]]*\]|\\.|./gsu) ?? []).flatMap(tokensOf)
  } catch {
    return undefined // a class that is none, such as [z-a]
  }
}

function tokensOf(text: string): Token[] {
  if (text === '**/') return [{ kind: 'option', count: 2 }, { kind: 'run', accepts: anything }, literal('/')]
  if (text === '/**') return [literal('/'), { kind: 'run', accepts: anything }]
  if (text.startsWith('*')) return [{ kind: 'run', accepts: withinFolder }]
  if (text === '?') return [{ kind: 'one', accepts: withinFolder }]
  if (!text.startsWith('[') || text.length < 3) return [literal(text.replace(/^\\(?=.)/su, ''))]
  const pattern = new RegExp(`^${text.replace(/^\[!/, '[^').replace(/\\(?!\])/g, '\\\\')}$`, 's')
  return [{ kind: 'one', accepts: (character) => pattern.test(character) }]
}

function literal(wanted: string): Token {
  return { kind: 'one', accepts: (character) => character === wanted }
}

/** Whether the pattern is the whole of a path. All ways through the pattern at once, so no pattern takes long. */
export function matches(glob: Glob, path: string): boolean {
  if (!glob) return false
  let states = reached(glob, [0])
  for (const character of path) {
    const next: number[] = []
    for (const at of states) {
      const token = glob[at]
      if (token && token.kind !== 'option' && token.accepts(character)) next.push(token.kind === 'run' ? at : at + 1)
    }
    states = reached(glob, next)
    if (states.size === 0) return false
  }
  return states.has(glob.length)
}

/** These places in the pattern, and all that follow without a character. A set may grow while it is walked. */
function reached(glob: readonly Token[], places: readonly number[]): Set<number> {
  const found = new Set(places)
  for (const at of found) {
    const token = glob[at]
    if (token?.kind === 'run') found.add(at + 1)
    if (token?.kind === 'option') found.add(at + 1).add(at + 1 + token.count)
  }
  return found
}
