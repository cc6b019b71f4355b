import { classifierVersions, type Facts } from './facts.ts'
import { assignments, type Literal, parseLiteral, stringItems } from './literal.ts'
import { logicalLines } from './logical-lines.ts'
import { normalName, parseRequirements, type Requirement } from './requirement.ts'

/** What setup.py says literally, without running it: arguments that are literals, or names of literals. */
export function setupPyFacts(source: string): Facts {
  const lines = logicalLines(source).map((line) => line.text)
  const names = assignments(lines)
  const text = lines.filter((line) => /\b(setup|dict)\(/.test(line)).join('\n')
  const read = (key: string): Literal | undefined => {
    const match = new RegExp(String.raw`[(,]\s*${key} ?= ?|["']${key}["'] ?: ?`).exec(text)
    return match ? parseLiteral(text.slice(match.index + match[0].length), names) : undefined
  }
  const groups = new Map<string, readonly Requirement[]>()
  const extras = read('extras_require')
  if (extras instanceof Map) for (const [name, value] of extras) groups.set(name, requirements(value))
  const tests = requirements(read('tests_require'))
  if (tests.length > 0) groups.set('tests', [...(groups.get('tests') ?? []), ...tests])
  const name = read('name')
  const python = read('python_requires')
  return {
    name: typeof name === 'string' ? normalName(name) : undefined,
    python: typeof python === 'string' ? python : undefined,
    classifiers: classifierVersions(strings(read('classifiers'))),
    runtime: requirements(read('install_requires')),
    build: requirements(read('setup_requires')),
    groups,
    local: [],
  }
}

function strings(value: Literal | undefined): string[] {
  if (typeof value === 'string') return value.split('\n')
  return stringItems(value)
}

function requirements(value: Literal | undefined): Requirement[] {
  return parseRequirements(strings(value))
}
