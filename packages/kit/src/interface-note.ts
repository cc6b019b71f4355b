import { decodeUtf8, type FileChange, type Tree } from '@r2e/spec'
import { changedText } from './added-lines.ts'
import { definitions } from './definitions.ts'
import { hasWord } from './leak-scan.ts'
import { isCode } from './path-role.ts'

/** The heading under which names and signatures follow that the tests rely on and nothing else tells. */
export const INTERFACE_HEADING = '## Interface'

const NAME = /[A-Za-z_$][A-Za-z0-9_$]*/g
const READ_LIMIT = 64 * 1024 * 1024

export interface HiddenApiInput {
  readonly source: readonly FileChange[]
  readonly tests: readonly FileChange[]
  /** The tree that the agent sees. */
  readonly tree: Tree
  readonly text: string
}

/** What the hidden tests rely on and nobody could guess. */
export interface HiddenApi {
  /** Name → signature of what the solution defines. */
  readonly names: ReadonlyMap<string, string>
  /** Texts that the tests compare word by word. */
  readonly wording: readonly string[]
}

/** What the solution brings, the hidden tests use, and neither the agent's tree nor the text holds. */
export async function hiddenApi({ source, tests, tree, text }: HiddenApiInput): Promise<HiddenApi> {
  const tested = tests.filter(({ path }) => isCode(path)).map((change) => changedText(change).added.join('\n'))
  const used = new Set(tested.flatMap((lines) => lines.match(NAME) ?? []))
  const defined = source.map(changedText).flatMap(definitions)
  const signatures = new Map(defined.map(({ name, signature }) => [name, signature]))
  const names = [...signatures.keys()].filter((name) => used.has(name) && !hasWord(text, name))
  const gold = source.flatMap((change) => changedText(change).added).join('\n')
  const wording = tested.flatMap(literals).filter((words) => gold.includes(words) && !text.includes(words))
  const known = await knownIn(tree, { names, wording: [...new Set(wording)] })
  return {
    names: new Map(names.filter((name) => !known.has(name)).map((name) => [name, signatures.get(name)!])),
    wording: [...new Set(wording)].filter((words) => !known.has(words)),
  }
}

/** The note as it ends a text: names, signatures and exact words only. Empty when there is nothing to tell. */
export function interfaceNote({ names, wording }: HiddenApi): string {
  const list = (lines: Iterable<string>) => [...new Set(lines)].map((line) => `- ${inlineCode(line)}`).join('\n')
  const parts: string[] = []
  if (names.size > 0) parts.push(`The tests use these names, which do not exist yet:\n\n${list(names.values())}`)
  if (wording.length > 0) parts.push(`The tests expect these words exactly:\n\n${list(wording)}`)
  return parts.length > 0 ? [INTERFACE_HEADING, ...parts].join('\n\n') : ''
}

function inlineCode(text: string): string {
  return text.includes('`') ? `\`\` ${text} \`\`` : `\`${text}\``
}

/** String literals of two words or more. */
function literals(code: string): readonly string[] {
  const found = [...code.matchAll(/"([^"\\\n]{10,200})"|'([^'\\\n]{10,200})'/g)].map((match) => match[1] ?? match[2]!)
  return found.filter((words) => /\p{L}\s+\S*\p{L}/u.test(words))
}

/** Which of the names and texts some text file of the tree already holds. */
async function knownIn(
  tree: Tree,
  wanted: { names: readonly string[]; wording: readonly string[] },
): Promise<Set<string>> {
  const known = new Set<string>()
  const total = wanted.names.length + wanted.wording.length
  if (total === 0) return known
  const files = (await tree.entries()).filter(({ size, mode }) => size > 0 && size < 1024 * 1024 && mode !== '120000')
  for (let at = 0, read = 0; at < files.length && known.size < total && read < READ_LIMIT; at += 256) {
    const contents = await tree.readAll(files.slice(at, at + 256).map(({ path }) => path))
    for (const content of contents.values()) {
      read += content.length
      const text = decodeUtf8(content)
      for (const name of wanted.names) if (hasWord(text, name)) known.add(name)
      for (const words of wanted.wording) if (text.includes(words)) known.add(words)
    }
  }
  return known
}
