type Environment = Readonly<Record<string, string>>

/**
 * Splits text into words as a Dockerfile does: quotes group, a backslash takes the next character as it is, and `$NAME`,
 * `${NAME}`, `${NAME:-other}` and `${NAME:+other}` are replaced outside single quotes.
 */
export function splitWords(text: string, env: Environment): string[] {
  const words: string[] = []
  let word: string | undefined
  let quote = ''
  for (let at = 0; at < text.length; at++) {
    const char = text[at]!
    if (!quote && /\s/.test(char)) {
      if (word !== undefined) words.push(word)
      word = undefined
    } else if (char === quote || (!quote && (char === '"' || char === "'"))) {
      quote = quote ? '' : char
      word ??= ''
    } else if (char === '\\' && quote !== "'" && at + 1 < text.length) {
      const next = text[++at]!
      word = (word ?? '') + (quote && !'"\\$'.includes(next) ? `\\${next}` : next)
    } else if (char === '$' && quote !== "'") {
      const variable = readVariable(text.slice(at), env)
      word = (word ?? '') + variable.value
      at += variable.length - 1
    } else word = (word ?? '') + char
  }
  if (word !== undefined) words.push(word)
  return words
}

/** The text as one word: blanks stay. */
export function expand(text: string, env: Environment): string {
  return splitWords(text, env).join(' ')
}

/** `A=b C="d e"`, or the old form `A the rest`. Undefined where it is neither. */
export function parseAssignments(text: string, env: Environment): Record<string, string> | undefined {
  const old = text.match(/^([^\s=]+)\s+([\s\S]+)$/)
  if (old) return { [old[1]!]: expand(old[2]!, env) }
  const pairs = splitWords(text, env).map((word) => [word.slice(0, word.indexOf('=')), word] as const)
  if (pairs.length === 0 || pairs.some(([name]) => !name)) return undefined
  return Object.fromEntries(pairs.map(([name, word]) => [name, word.slice(name.length + 1)]))
}

function readVariable(text: string, env: Environment): { readonly value: string; readonly length: number } {
  const plain = text.match(/^\$([A-Za-z_]\w*)/)
  if (plain) return { value: env[plain[1]!] ?? '', length: plain[0].length }
  const braced = text.match(/^\$\{([A-Za-z_]\w*)(?::([-+])([^}]*))?\}/)
  if (!braced) return { value: '$', length: 1 }
  const [whole, name = '', sign, other = ''] = braced
  const value = env[name] ?? ''
  if (sign === '-') return { value: value || other, length: whole.length }
  if (sign === '+') return { value: value && other, length: whole.length }
  return { value, length: whole.length }
}
