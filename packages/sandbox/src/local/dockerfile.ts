/** One instruction of a Dockerfile, continuation lines joined. */
export interface Instruction {
  /** As written, without line breaks. */
  readonly text: string
  /** Upper case. */
  readonly keyword: string
  readonly rest: string
}

/** Splits a Dockerfile into instructions: comments and blank lines go, a backslash at the end of a line joins. */
export function parseDockerfile(text: string): Instruction[] {
  const instructions: Instruction[] = []
  let open = ''
  for (const line of text.split(/\r?\n/)) {
    if (/^\s*(#|$)/.test(line)) continue
    const joined = line.match(/^(.*)\\[ \t]*$/)
    open += joined ? joined[1] : line
    if (joined) continue
    instructions.push(toInstruction(open))
    open = ''
  }
  if (open.trim()) instructions.push(toInstruction(open))
  return instructions
}

function toInstruction(line: string): Instruction {
  const text = line.trim()
  const [, keyword = '', rest = ''] = text.match(/^(\S+)\s*([\s\S]*)$/) ?? []
  return { text, keyword: keyword.toUpperCase(), rest }
}

/** The exec form `["a", "b"]`, or undefined where the text is something else. */
export function parseExecForm(text: string): string[] | undefined {
  if (!text.startsWith('[')) return undefined
  try {
    const value: unknown = JSON.parse(text)
    return Array.isArray(value) && value.every((item) => typeof item === 'string') ? value : undefined
  } catch {
    return undefined
  }
}

/** Splits off leading `--name=value` flags. */
export function splitFlags(text: string): { readonly flags: readonly string[]; readonly rest: string } {
  const flags: string[] = []
  let rest = text
  for (let match = rest.match(/^(--\S+)\s+/); match; match = rest.match(/^(--\S+)\s+/)) {
    flags.push(match[1]!)
    rest = rest.slice(match[0].length)
  }
  return { flags, rest }
}
