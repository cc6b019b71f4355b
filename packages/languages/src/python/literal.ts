export type Literal = string | readonly Literal[] | ReadonlyMap<string, Literal>

/** The right sides of assignments to plain names; the last one counts. */
export function assignments(lines: readonly string[]): ReadonlyMap<string, string> {
  const found = new Map<string, string>()
  for (const line of lines) {
    const match = /^([^\W\d]\w*) ?(?::[^=]*)?= ?(?!=)/u.exec(line)
    if (match) found.set(match[1]!, line.slice(match[0].length))
  }
  return found
}

export function stringItems(value: Literal | undefined): string[] {
  return Array.isArray(value) ? value.filter((item) => typeof item === 'string') : []
}

/**
 * Reads a Python literal of strings, lists, tuples and dictionaries at the start of `text`. Names are looked up once in
 * `names`; items that are no literal are left out; undefined where nothing can be read.
 */
export function parseLiteral(text: string, names: ReadonlyMap<string, string> = new Map()): Literal | undefined {
  let at = 0
  return value(0)

  function value(depth: number): Literal | undefined {
    if (depth > 20) return undefined
    blanks()
    const char = text[at]
    if (char === '[' || char === '(') return list(char === '[' ? ']' : ')', depth)
    if (char === '{') return dictionary(depth)
    const string = strings()
    if (string !== undefined) return string
    const name = /^[^\W\d]\w*/u.exec(text.slice(at, at + 200))?.[0]
    at += name?.length ?? 0
    return name !== undefined && names.has(name) ? parseLiteral(names.get(name)!) : undefined
  }

  function list(close: string, depth: number): readonly Literal[] {
    const items: Literal[] = []
    at += 1
    while (at < text.length && text[at] !== close) {
      blanks()
      const spread = text[at] === '*'
      if (spread) at += 1
      const item = value(depth + 1)
      if (item !== undefined && isItemEnd(close)) items.push(...(spread ? stringItems(item) : [item]))
      skipTo(close)
    }
    at += 1
    return items
  }

  function dictionary(depth: number): ReadonlyMap<string, Literal> {
    const entries = new Map<string, Literal>()
    at += 1
    while (at < text.length && text[at] !== '}') {
      blanks()
      const key = strings()
      blanks()
      if (key !== undefined && text[at] === ':') {
        at += 1
        const item = value(depth + 1)
        if (item !== undefined) entries.set(key, item)
      }
      skipTo('}')
    }
    at += 1
    return entries
  }

  function blanks(): void {
    while (/\s/.test(text[at] ?? '')) at += 1
  }

  function isItemEnd(close: string): boolean {
    blanks()
    return text[at] === ',' || text[at] === close
  }

  /** Adjacent plain strings are one. */
  function strings(): string | undefined {
    let joined: string | undefined
    for (;;) {
      const match = /^[ru]?(?:"""([^"\\]*)"""|"([^"\\\n]*)"|'([^'\\\n]*)')\s*/i.exec(text.slice(at, at + 4000))
      if (!match) return joined
      at += match[0].length
      joined = (joined ?? '') + (match[1] ?? match[2] ?? match[3] ?? '')
    }
  }

  /** To the next comma of this level (passed) or the closing bracket (not passed). */
  function skipTo(close: string): void {
    for (let depth = 0; at < text.length; at++) {
      const char = text[at]!
      if (depth === 0 && char === close) return
      if (depth === 0 && char === ',') {
        at += 1
        blanks()
        return
      }
      if ('([{'.includes(char)) depth += 1
      else if (')]}'.includes(char)) depth -= 1
      else if (char === '"' || char === "'") {
        const end = text.indexOf(char, at + 1)
        at = end < 0 ? text.length : end
      }
    }
  }
}
