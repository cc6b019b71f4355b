import { baseName } from '../path.ts'
import type { BuildFiles } from './build-files.ts'
import { bracketEnds } from './clean-source.ts'
import { isTestPath } from './roles.ts'

const mark =
  /\b(?:(if|elseif|else|endif)|add_test|add_executable|add_subdirectory|\w+_(?:discover|add)_tests?|add_\w*tests?)\s*\(/gi

/** A condition longer than this is none that anybody wrote. */
const longest = 200

/** What a CMakeLists below a test folder asks for before it registers tests: `if (ENABLE_CJSON_UTILS)`. */
export function guardsOfTests({ texts }: BuildFiles): ReadonlySet<string> {
  const files = [...texts].filter(([path]) => baseName(path) === 'CMakeLists.txt' && isTestPath(path))
  return new Set(files.flatMap(([, text]) => [...guardsIn(text)]))
}

function guardsIn(text: string): ReadonlySet<string> {
  const endOf = bracketEnds(text)
  const open: (readonly string[])[] = []
  const found = new Set<string>()
  /** How many of the open conditions are found already. */
  let noted = 0
  for (const match of text.matchAll(mark)) {
    const word = match[1]?.toLowerCase()
    const from = match.index + match[0].length
    if (word === undefined) {
      for (const name of open.slice(noted).flat()) found.add(name)
      noted = open.length
    } else if (word === 'if') open.push(namesIn(text.slice(from, Math.min(endOf(from - 1) - 1, from + longest))))
    else open.pop()
    noted = Math.min(noted, open.length)
    if (word === 'else' || word === 'elseif') open.push([])
  }
  return found
}

/** What must be true for the condition to hold, as far as it can be told. */
function namesIn(condition: string): string[] {
  if (/\bNOT\s*\(/i.test(condition)) return []
  return [...condition.matchAll(/\b(NOT\s+)?([A-Za-z]\w*)/gi)].flatMap(([, not, name]) => (not ? [] : name!))
}
