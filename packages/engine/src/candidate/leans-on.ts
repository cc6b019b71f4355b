import { decodeUtf8, type FileEntry, type HiddenSource } from '@r2e/spec'

/**
 * Whether a test file names another that is hidden, by its file name or by something that it declares at its top level:
 * a base class, a helper, shared examples. Its tests may then change with the hidden file. A name too many only means
 * that the base is no evidence.
 *
 * @param standing test files as they were, by their paths; those that are hidden themselves are left out
 */
export function leansOn(standing: readonly FileEntry[], hidden: readonly HiddenSource[]): boolean {
  if (hidden.some(steersPackage)) return true
  const paths = new Set(hidden.map(({ path }) => path))
  const names = new Set(hidden.flatMap(({ text }) => declaredNames(text)))
  const stems = [...new Set(hidden.map(stemOf))]
  for (const stem of stems) if (isWord(stem)) names.add(stem)
  const texts = stems.filter((stem) => !isWord(stem))
  return standing.some(({ path, content }) => {
    if (paths.has(path)) return false
    const text = decodeUtf8(content)
    return texts.some((stem) => text.includes(stem)) || words(text).some((word) => names.has(word))
  })
}

/** What Go runs before all tests of a package. */
function steersPackage({ path, text }: HiddenSource): boolean {
  return path.endsWith('_test.go') && /^func (?:TestMain|init)\(/m.test(text)
}

/** As another file would import it: `test_a`, `a.test`; of an index the folder. */
function stemOf({ path }: HiddenSource): string {
  const parts = path.split('/')
  const stem = parts.at(-1)!.replace(/\.[^.]*$/, '')
  return /^(?:index|mod|__init__|main)$/.test(stem) ? (parts.at(-2) ?? stem) : stem
}

const before =
  /^(?:@[\w.]+(?:\([^()]{0,200}\))? +|(?:export|default|pub(?:\([\w:]*\))?|public|internal|abstract|final|open|sealed|static|async|unsafe|inline) +)*/
const declaration =
  /^(?:func|def|class|fn|function\*?|type|trait|interface|struct|enum|record|object|module|mod|macro_rules!|#define) +([\p{L}_$][\p{L}\p{N}_$]*)/u
const variables = /^(?:const|let|var) +([^=(:{[]+)/
const block = /^(?:var|const|type) *\($/
const cFunction = /^[A-Za-z_][\w:<>,*& ]*[ *&](\w+)\([^;]*$/
const sharedExamples = /^[ \t]*(?:\w+\.)?shared_(?:examples|context)(?:_for)? *\(? *["':]([^"']+)/
/** Names by which runners find tests: other files have their own of the same name. */
const testName = /^(?:test|setup|teardown|before|after|main$)/i

/** Line by line: what stands at the start of one, behind what may stand before it there. */
function declaredNames(text: string): string[] {
  const found: string[] = []
  let inBlock = false
  for (const raw of text.split('\n')) {
    const whole = raw.slice(0, 1000).trimEnd()
    const line = whole.slice(before.exec(whole)![0].length)
    if (inBlock) {
      if (line === ')') inBlock = false
      else found.push(...words(line.split('=', 1)[0]!))
    } else if (block.test(line)) inBlock = true
    else {
      const names = declaration.exec(line)?.[1] ?? variables.exec(line)?.[1] ?? cFunction.exec(line)?.[1]
      found.push(...words(names ?? sharedExamples.exec(line)?.[1] ?? ''))
    }
  }
  return found.filter((name) => !testName.test(name))
}

const isWord = (text: string) => /^[\p{L}\p{N}_$]+$/u.test(text)

function words(text: string): string[] {
  return text.match(/[\p{L}\p{N}_$]+/gu) ?? []
}
