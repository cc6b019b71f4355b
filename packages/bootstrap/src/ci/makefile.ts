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
const longestLine = 4000
const longestValue = 1000

/** Rules with plain names and variables with plain values; what stands in a condition counts as given. */
export function readMakefile(text: string): Makefile {
  const variables = new Map<string, string>([['MAKE', 'make']])
  const rules = new Map<string, Rule>()
  let current: readonly Rule[] = []
  for (const line of logicalLines(text)) {
    const [recipe] = line.startsWith('\t') ? [line.slice(1)] : []
    if (recipe !== undefined) {
      for (const rule of current) rule.lines.push(recipe)
      continue
    }
    const set = /^\s*(?:export\s+)?([A-Za-z_][\w.-]*)\s*(\?|\+|::?)?=\s*(.*)$/.exec(line)
    const made = set === null ? /^([^\s:#=][^:#=]*)::?(?!=)([^=#]*)(?:#.*)?$/.exec(line) : null
    if (set) setVariable(variables, { name: set[1]!, sign: set[2] ?? '', value: set[3]!.replace(/\s+#.*$/, '').trim() })
    if (!made) continue
    const [needs, inline] = made[2]!.split(';', 2)
    current = made[1]!
      .trim()
      .split(/\s+/)
      .map((name) => ruleOf(rules, name))
    for (const rule of current) {
      rule.needs.push(
        ...needs!
          .replace('|', ' ')
          .trim()
          .split(/[\s,]+/)
          .filter((name) => name !== ''),
      )
      if (inline !== undefined) rule.lines.push(inline)
    }
  }
  const first = [...rules.keys()].find((name) => !/^\.|[%$]/.test(name))
  return { first: variables.get('.DEFAULT_GOAL') ?? first, lines: (target) => linesOf(target, rules, variables) }
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

function linesOf(target: string, rules: ReadonlyMap<string, Rule>, variables: ReadonlyMap<string, string>): string[] {
  const found: string[] = []
  const seen = new Set<string>()
  const done = new Set<string>()
  // Needs before the target itself; a stack, for a hostile file may name a chain of any length.
  const pending = [target]
  while (pending.length > 0 && found.length < mostLines) {
    const name = pending.pop()!
    const rule = rules.get(name)
    if (rule === undefined || done.has(name)) continue
    if (seen.has(name)) {
      done.add(name)
      found.push(...rule.lines.slice(0, mostLines))
      continue
    }
    seen.add(name)
    pending.push(name, ...rule.needs.filter((need) => !seen.has(need)).toReversed())
  }
  const expand = expander(variables)
  return found.slice(0, mostLines).map((line) => expand(line.replace(/^[@+\s-]+/, '')))
}

/** Variables of make, of which one that is not set is empty; functions of make are not known. */
function expander(variables: ReadonlyMap<string, string>): (text: string) => string {
  const known = new Map<string, string>()
  const valueOfVariable = (name: string): string => {
    const found = known.get(name)
    if (found !== undefined) return found
    known.set(name, unresolved) // for a variable that stands in its own value
    const value = expand(variables.get(name) ?? '')
    known.set(name, value.length > longestValue ? unresolved : value)
    return known.get(name)!
  }
  const expand = (text: string): string =>
    text
      .slice(0, longestLine)
      .replace(/\$\$|\$[({]([^(){}$]*)[)}]|\$\(|\$[@<^*+?%]/g, (whole, name: string | undefined) => {
        if (whole === '$$') return '$'
        return name !== undefined && /^[\w.-]+$/.test(name) ? valueOfVariable(name) : unresolved
      })
  return expand
}
