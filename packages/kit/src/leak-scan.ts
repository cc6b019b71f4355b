import { collapsed, type LeakFacts } from './leak-facts.ts'

export interface Leak {
  readonly kind: 'gold_line' | 'test_name' | 'test_path' | 'commit_id' | 'request_number'
  /** The words that leak. */
  readonly match: string
}

/** Every leak of `facts` in a text. Names inside the solution (`goldNames`) are no leak by themselves. */
export function leakScan(text: string, facts: LeakFacts): readonly Leak[] {
  const flat = collapsed(text)
  const bare = collapsed(text.replace(/[`*]/g, ''))
  const leaks: Leak[] = []
  const add = (kind: Leak['kind'], match: string | undefined) => match !== undefined && leaks.push({ kind, match })
  for (const line of facts.goldLines) if (flat.includes(line) || bare.includes(line)) add('gold_line', line)
  for (const id of facts.hiddenIds) if (hasWord(flat, id)) add('test_name', id)
  for (const path of facts.hiddenPaths) add('test_path', pathIn(flat, path))
  for (const id of facts.ids) {
    if (/^\d+$/.test(id)) add('request_number', requestIn(flat, id))
    else add('commit_id', commitIn(flat, id))
  }
  return leaks
}

export function hasWord(text: string, word: string): boolean {
  for (let at = text.indexOf(word); at >= 0; at = text.indexOf(word, at + 1)) {
    const before = text[at - 1] ?? ' '
    const after = text[at + word.length] ?? ' '
    if (!/\w/.test(before) && !/\w/.test(after)) return true
  }
  return false
}

/** The whole path, or its last part where that is a test's by its own name. */
function pathIn(text: string, path: string): string | undefined {
  if (text.includes(path) && path.length > 3) return path
  const name = path.split('/').at(-1)!
  return /test|spec|conftest|\.snap$/i.test(name) && name.includes('.') && hasWord(text, name) ? name : undefined
}

function commitIn(text: string, id: string): string | undefined {
  for (const match of text.matchAll(/[0-9a-f]{7,64}/gi)) {
    const found = match[0].toLowerCase()
    if (id.startsWith(found) || found.startsWith(id)) return match[0]
  }
  return undefined
}

function requestIn(text: string, number: string): string | undefined {
  return new RegExp(
    `(?:[#!]|\\b(?:gh|pr|mr|issue|pull|pulls|issues|merge_requests)[-/ #_]{1,2})${number}(?!\\d)`,
    'i',
  ).exec(text)?.[0]
}
