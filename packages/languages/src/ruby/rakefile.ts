/** How a Rake test task loads its files. */
interface TestTask {
  /** Folders of the load path. */
  readonly folders: readonly string[]
  /** Libraries that are required first (`-r`). */
  readonly libraries: readonly string[]
}

const word = /["']([\w./-]+)["']/g

/** Read by the shape of its lines; a Rakefile is never run. */
export function parseRakefile(text: string): TestTask {
  const code = text.replace(/^[ \t]*#.*$/gm, '')
  const folders = [...code.matchAll(/\blibs\s*(?:<<|\+?=|\.(?:push|concat|unshift)\b)(.*)$/gm)].flatMap(([, rest]) => [
    ...words(rest!),
    ...percentWords(rest!),
  ])
  const options = [...code.matchAll(/\bruby_opts\s*(?:<<|\+?=|\.(?:push|concat)\b)(.*)$/gm)].flatMap(([, rest]) => [
    ...words(rest!),
    ...percentWords(rest!),
  ])
  const libraries = options.filter((option) => /^-r[\w/-]/.test(option)).map((option) => option.slice(2))
  return { folders: folders.filter(isInside), libraries: libraries.filter(isInside) }
}

function words(text: string): string[] {
  return [...text.matchAll(word)].map((match) => match[1]!)
}

function percentWords(text: string): string[] {
  return [...text.matchAll(/%w[([{]([\w./ -]*)[)\]}]/g)].flatMap((match) => match[1]!.trim().split(/\s+/))
}

function isInside(path: string): boolean {
  return path !== '' && !path.startsWith('/') && !path.split('/').includes('..')
}
