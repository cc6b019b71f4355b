import { decodeUtf8, type FileChange, type Tree } from '@r2e/spec'
import { changedText } from './added-lines.ts'
import { definitions } from './definitions.ts'
import { hasWord } from './leak-scan.ts'

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

/**
 * Names (with their signature) that the solution defines, that the hidden tests use, and that neither the agent's tree
 * nor the text holds. Nobody could guess them.
 */
export async function hiddenApi(input: HiddenApiInput): Promise<ReadonlyMap<string, string>> {
  const used = new Set(input.tests.flatMap((change) => changedText(change).added.join('\n').match(NAME) ?? []))
  const found = new Map<string, string>()
  for (const change of input.source)
    for (const { name, signature } of definitions(changedText(change)))
      if (used.has(name) && !found.has(name) && !hasWord(input.text, name)) found.set(name, signature)
  for (const name of await namesInTree(input.tree, [...found.keys()])) found.delete(name)
  return found
}

/** The note as it ends a text: names and signatures only. */
export function interfaceNote(api: ReadonlyMap<string, string>): string {
  const lines = [...new Set(api.values())].map((signature) => `- ${inlineCode(signature)}`)
  return `${INTERFACE_HEADING}\n\nThe tests use these names, which do not exist yet:\n\n${lines.join('\n')}`
}

function inlineCode(text: string): string {
  return text.includes('`') ? `\`\` ${text} \`\`` : `\`${text}\``
}

/** Which of the names some text file of the tree already holds. */
async function namesInTree(tree: Tree, names: readonly string[]): Promise<readonly string[]> {
  const open = new Set(names)
  if (open.size === 0) return []
  const files = (await tree.entries()).filter(({ size, mode }) => size > 0 && size < 1024 * 1024 && mode !== '120000')
  let read = 0
  for (let at = 0; at < files.length && open.size > 0 && read < READ_LIMIT; at += 256) {
    const contents = await tree.readAll(files.slice(at, at + 256).map(({ path }) => path))
    for (const content of contents.values()) {
      read += content.length
      const text = decodeUtf8(content)
      for (const name of open) if (hasWord(text, name)) open.delete(name)
    }
  }
  return names.filter((name) => !open.has(name))
}
