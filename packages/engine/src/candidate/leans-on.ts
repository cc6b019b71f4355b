import { decodeUtf8, type FileEntry, type HiddenSource } from '@r2e/spec'

/**
 * Whether a test file names another that is hidden, by its file name or by something that it declares at its top level:
 * a base class, a helper, shared examples. Its tests may then change with the hidden file.
 *
 * @param standing test files as they were, by their paths; those that are hidden themselves are left out
 */
export function leansOn(standing: readonly FileEntry[], hidden: readonly HiddenSource[]): boolean {
  const paths = new Set(hidden.map(({ path }) => path))
  const names = new Set(hidden.flatMap(namesOf))
  if (names.size === 0) return false
  return standing.some(
    ({ path, content }) => !paths.has(path) && words(decodeUtf8(content)).some((word) => names.has(word)),
  )
}

/** At the start of a line, behind what may stand before it there. */
const declaration =
  /^(?:(?:export|default|pub(?:\([\w:]*\))?|public|internal|abstract|final|open|sealed|static|async|unsafe|inline) +)*(?:func|def|class|fn|function\*?|type|trait|interface|struct|enum|record|object|module|mod|const|let|var|macro_rules!|#define) +([\p{L}_$][\p{L}\p{N}_$]*)/gmu
const sharedExamples = /^\s*(?:\w+\.)?shared_(?:examples|context)(?:_for)? *\(? *["':]([^"'\n]+)/gm
/** Names by which runners find tests: other files have their own of the same name. */
const testName = /^(?:test|setup|teardown|before|after|main$)/i

function namesOf({ path, text }: HiddenSource): string[] {
  const parts = path.split('/')
  const stem = parts.at(-1)!.replace(/\.[^.]*$/, '')
  const own = /^(?:index|mod|__init__|main)$/.test(stem) ? (parts.at(-2) ?? stem) : stem
  const declared = [...text.matchAll(declaration)].map((match) => match[1]!).filter((name) => !testName.test(name))
  const examples = [...text.matchAll(sharedExamples)].flatMap((match) => words(match[1]!))
  return [...words(own).slice(-1), ...declared, ...examples]
}

function words(text: string): string[] {
  return text.match(/[\p{L}\p{N}_$]+/gu) ?? []
}
