import type { CiFacts, Fact } from './ci-facts.ts'
import type { ReadCommand } from './read-commands.ts'
import { isResolved } from './unresolved.ts'

const mostCommands = 10
const longestWord = 500

/** What the language's own recipe does anyway. */
const known: Readonly<Record<string, RegExp>> = {
  cpp: /^/,
  csharp: /^dotnet /,
  go: /^go (?:build|vet)/,
  java: /^\S*(?:mvnw?|mvnd|gradlew?) /,
  rust: /^cargo /,
}

/** The build commands of the job that stand before its tests, all words known, and that the language does not run itself. */
export function buildsOfCi(facts: CiFacts, language: string): readonly Fact<ReadCommand>[] {
  const own = Object.hasOwn(known, language) ? known[language] : undefined
  return facts.build
    .filter(
      ({ value }) =>
        (value.language ?? language) === language && isPlain(value) && !own?.test(`${value.inner.join(' ')} `),
    )
    .slice(0, mostCommands)
}

/** A shell script in which every word is quoted; it is copied as a file and never stands in an instruction. */
export function buildScript(builds: readonly ReadCommand[]): string {
  const lines = builds.map(({ inner, env, folder }) => {
    const set = Object.entries(env).map(([name, value]) => `${name}=${quoted(value)} `)
    const command = `${set.join('')}${inner.map(quoted).join(' ')}`
    return folder === '' ? `${command}\n` : `(cd ${quoted(`./${folder}`)} && ${command})\n`
  })
  return `set -e\n${lines.join('')}`
}

/** Without `sudo`, patterns that a shell would fill in, or what is known only when the job runs. */
function isPlain({ inner, env, folder }: ReadCommand): boolean {
  const texts = [...inner, ...Object.values(env), folder]
  return (
    texts.every((text) => isResolved(text) && text.length <= longestWord && !/[\0-\x1f\x7f]/.test(text)) &&
    Object.keys(env).every((name) => /^[A-Za-z_]\w*$/.test(name)) &&
    !inner.some((word) => /[*?]|^~/.test(word)) &&
    !(inner[0] ?? '').includes('=')
  )
}

function quoted(word: string): string {
  return /^[\w@%+:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'"'"'`)}'`
}
