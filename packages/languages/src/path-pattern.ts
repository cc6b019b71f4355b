/** `*` and `?` within a part, `**` for any parts, `{a,b}` for one of some. */
export function pathPattern(pattern: string): (path: string) => boolean {
  const choices = withoutBraces(pattern.replace(/^\.\//, '').replace(/\/+$/, ''))
    .map((choice) => choice.split('/'))
    .filter((parts) => parts.length <= mostParts)
    .map((parts) => parts.map(partPattern))
  return (path) => {
    const parts = path.split('/')
    return choices.some((choice) => matches(choice, parts))
  }
}

export function isPattern(path: string): boolean {
  return /[*?{]/.test(path)
}

type Part = '**' | RegExp

/** Keeps the places of the pattern that may come next, so that many `**` cost no more than one. */
function matches(pattern: readonly Part[], parts: readonly string[]): boolean {
  let places = reached(pattern, [0])
  for (const part of parts) {
    const next = [...places].flatMap((place) => {
      const wanted = pattern[place]
      if (wanted === '**') return [place]
      return wanted?.test(part) ? [place + 1] : []
    })
    places = reached(pattern, next)
  }
  return places.has(pattern.length)
}

/** `**` stands for no part too. */
function reached(pattern: readonly Part[], places: readonly number[]): ReadonlySet<number> {
  const found = new Set(places)
  for (const place of found) if (pattern[place] === '**') found.add(place + 1)
  return found
}

/** No person writes more. */
const mostChoices = 100
const mostParts = 30
const mostStars = 4

function withoutBraces(pattern: string): string[] {
  const done: string[] = []
  const open = [pattern]
  while (open.length > 0 && open.length + done.length <= mostChoices) {
    const next = open.pop()!
    const braces = /\{([^{}]*)\}/.exec(next)
    if (!braces) done.push(next)
    else open.push(...braces[1]!.split(',').map((choice) => next.replace(braces[0], () => choice)))
  }
  return open.length > 0 ? [] : done
}

function partPattern(part: string): Part {
  if (part === '**') return part
  if (part.split('*').length - 1 > mostStars) return /^$/
  const source = part
    .replace(/[.+^$()|[\]\\{}]/g, '\\$&')
    .replace(/\*+/g, '[^/]*')
    .replaceAll('?', '[^/]')
  return new RegExp(`^${source}$`)
}
