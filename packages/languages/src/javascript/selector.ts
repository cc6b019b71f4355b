/** `[project] src/a.test.ts::outer > title` → its parts, the ordinal of equal ids left out. */
export interface Selector {
  readonly project: string | undefined
  readonly file: string
  readonly titles: readonly string[]
}

export function selectorOf(id: string): Selector {
  const at = id.indexOf('::')
  const scope = at < 0 ? id : id.slice(0, at)
  const [, project, file] = /^\[([^\]]*)\] (.*)$/s.exec(scope) ?? [undefined, undefined, scope]
  const path = at < 0 ? '' : id.slice(at + 2).replace(/ #\d+$/, '')
  const titles = path === '' ? [] : path.split(' > ').map((title) => title.replaceAll(' \\> ', ' > '))
  return { project, file: file!, titles }
}

export function fileOf(id: string): string {
  return selectorOf(id).file
}

/** A title that can stand in a pattern: escaped control characters are not what the runner prints. */
export function canSelect({ titles }: Selector): boolean {
  const text = titles.join(' ')
  return titles.length > 0 && text.length < 4000 && !/\\x[01][0-9a-f]/.test(text) && text.isWellFormed()
}

/** The full name as runners join it, as a pattern of the whole. */
export function fullNamePattern({ titles }: Selector): string {
  return `^${quote(titles.join(' '))}$`
}

export function quote(text: string): string {
  return text.replace(/[\\.*+?^${}()|[\]/]/g, '\\$&')
}
