import { encodeUtf8 } from '@r2e/spec'

export type Scrub = (text: string) => string

/** Shorter ones (`EMPTY`, `none`) are no secrets, and replacing them would damage texts. */
const SHORTEST = 8

/** Replaces the values of secrets, as they are and in the forms that commands print them in. */
export function createScrub(secrets: Readonly<Record<string, string>>): Scrub {
  const rules = Object.entries(secrets)
    .filter(([, value]) => value.length >= SHORTEST)
    .sort(([, a], [, b]) => b.length - a.length) // one value may hold another
    .map(([name, value]) => ({ mark: `[secret ${name}]`, pattern: anyOf(value) }))
  return (text) => rules.reduce((clean, { mark, pattern }) => clean.replace(pattern, () => mark), text)
}

function anyOf(value: string): RegExp {
  const bytes = encodeUtf8(value)
  const plain = [value, JSON.stringify(value).slice(1, -1), encodeURIComponent(value.toWellFormed())]
  const base64 = [0, 1, 2].map((offset) => base64At(bytes, offset))
  const wrapped = [...base64, ...base64.map(urlSafe), Buffer.from(bytes).toString('hex')]
  const forms = [...plain.map(quoted), ...wrapped.map((form) => [...form].map(quoted).join('\\s*'))]
  return new RegExp([...new Set(forms)].join('|'), 'gi')
}

/** The digits of base64 that are the same whatever stands before (at this distance from a group) and behind. */
function base64At(bytes: Uint8Array, offset: number): string {
  const text = Buffer.concat([Buffer.alloc(offset), bytes]).toString('base64')
  return text.slice(Math.ceil((offset * 8) / 6), Math.floor(((offset + bytes.length) * 8) / 6))
}

const urlSafe = (text: string) => text.replaceAll('+', '-').replaceAll('/', '_')
const quoted = (text: string) => text.replace(/[.*+?^${}()|[\]\\/]/g, '\\$&')
