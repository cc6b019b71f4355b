import { unresolved } from './unresolved.ts'

/** What `make` would run, as far as the text says. */
export interface Makefile {
  /** The first target of the file. */
  readonly first: string | undefined
  /** The shell lines of a target and of what it needs, in their order; none for a target that is not there. */
  lines(target: string): readonly string[]
}

interface Rule {
  readonly needs: string[]
  readonly lines: string[]
}

const mostLines = 200
const mostNeeds = 200
/** Of one line of names. */
const mostTargets = 100
/** Rules that are looked at for one target. */
const mostVisited = 1000
const longestLine = 4000
const longestValue = 1000
/** Variables in the values of variables. */
const deepestValue = 20

/** Rules with plain names and variables with plain values; what stands in a condition counts as given. */
export function readMakefile(text: string): Makefile {
  const variables = new Map<string, string>([['MAKE', 'make']])
  const rules = new Map<string, Rule>()
  let current: readonly Rule[] = []
  for (const line of logicalLines(text)) {
    if (line.startsWith('\t')) {
      for (const rule of current) if (rule.lines.length < mostLines) rule.lines.push(line.slice(1))
      continue
    }
    const set = /^\s*(?:export\s+)?([A-Za-z_][\w.-]*)\s*(\?|\+|::?)?=\s*(.*)$/.exec(line)
    const made = set === null ? /^([^\s:#=][^:#=]*)::?(?!=)([^=#]*)(?:#.*)?$/.exec(line) : null
    if (set) setVariable(variables, { name: set[1]!, sign: set[2] ?? '', value: withoutComment(set[3]!) })
    if (!made) continue
    const [needs = '', inline] = made[2]!.split(';', 2)
    current = namesIn(made[1]!, mostTargets).map((name) => ruleOf(rules, name))
    const needed = namesIn(needs.replace('|', ' '), mostNeeds)
    for (const rule of current) {
      rule.needs.push(...needed.slice(0, mostNeeds - rule.needs.length))
      if (inline !== undefined && rule.lines.length < mostLines) rule.lines.push(inline)
    }
  }
  const first = [...rules.keys()].find((name) => !/^\.|[%$]/.test(name))
  const expand = expander(variables)
  const known = new Map<string, readonly string[]>()
  return {
    first: variables.get('.DEFAULT_GOAL') ?? first,
    lines(target) {
      const lines = known.get(target) ?? linesOf(target, rules).map((line) => expand(line.replace(/^[@+\s-]+/, '')))
      known.set(target, lines)
      return lines
    },
  }
}

function withoutComment(value: string): string {
  const at = value.search(/\s#/)
  return (at < 0 ? value : value.slice(0, at)).trim()
}

function namesIn(text: string, most: number): string[] {
  return text
    .split(/[\s,]+/)
    .filter((name) => name !== '')
    .slice(0, most)
}

/** A line that ends in a backslash goes on in the next. */
function logicalLines(text: string): string[] {
  const lines: string[] = []
  let open: string[] = []
  for (const line of text.split(/\r?\n/)) {
    if (line.endsWith('\\')) {
      open.push(line.slice(0, -1))
      continue
    }
    lines.push([...open, open.length > 0 ? line.trimStart() : line].join(' '))
    open = []
  }
  return open.length > 0 ? [...lines, open.join(' ')] : lines
}

function setVariable(
  variables: Map<string, string>,
  { name, sign, value }: { name: string; sign: string; value: string },
): void {
  const before = variables.get(name)
  if (sign === '?' && before !== undefined) return
  variables.set(name, sign === '+' && before !== undefined ? `${before} ${value}` : value)
}

function ruleOf(rules: Map<string, Rule>, name: string): Rule {
  const rule = rules.get(name) ?? { needs: [], lines: [] }
  rules.set(name, rule)
  return rule
}

function linesOf(target: string, rules: ReadonlyMap<string, Rule>): string[] {
  const found: string[] = []
  const seen = new Set<string>()
  const done = new Set<string>()
  // Needs before the target itself; a stack, for a hostile file may name a chain of any length.
  const pending = [target]
  while (pending.length > 0 && found.length < mostLines && seen.size < mostVisited) {
    const name = pending.pop()!
    const rule = rules.get(name)
    if (rule === undefined || done.has(name)) continue
    if (seen.has(name)) {
      done.add(name)
      found.push(...rule.lines)
      continue
    }
    seen.add(name)
    pending.push(name, ...rule.needs.filter((need) => !seen.has(need)).toReversed())
  }
  return found.slice(0, mostLines)
}

/** Variables of make, of which one that is not set is empty; functions of make are not known, nor what grows by doubling. */
function expander(variables: ReadonlyMap<string, string>): (text: string) => string {
  const known = new Map<string, string>()

  function valueOfVariable(name: string, depth: number): string {
    const found = known.get(name)
    if (found !== undefined) return found
    if (depth > deepestValue) return unresolved
    known.set(name, unresolved) // for a variable that stands in its own value
    const value = expand(variables.get(name) ?? '', depth + 1)
    known.set(name, value.length > longestValue ? unresolved : value)
    return known.get(name)!
  }

  function expand(text: string, depth: number): string {
    let made = ''
    let at = 0
    if (text.length > longestLine) return unresolved
    for (const { 0: whole, 1: name, index } of text.matchAll(/\$\$|\$[({]([^(){}$]*)[)}]|\$\(|\$[@<^*+?%]/g)) {
      const value = name !== undefined && /^[\w.-]+$/.test(name) ? valueOfVariable(name, depth) : unresolved
      made += text.slice(at, index) + (whole === '$$' ? '$' : value)
      at = index + whole.length
      if (made.length > longestLine) return unresolved
    }
    return made + text.slice(at)
  }

  return (text) => expand(text, 0)
}
