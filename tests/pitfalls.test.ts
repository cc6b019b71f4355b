import { readFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { pitfallIds, readTitles } from '../scripts/pitfall-titles.mjs'

interface Row {
  readonly tests?: readonly { readonly file: string; readonly title: string }[]
  /** Letter of the later issue that covers the row, or the rest of it. */
  readonly issue?: string
  readonly why?: string
}

const root = dirname(dirname(fileURLToPath(import.meta.url)))
const rows: Record<string, Row> = JSON.parse(await readFile(join(root, 'docs/pitfalls.json'), 'utf8'))
const titles = await readTitles(root)

describe('docs/pitfalls.json', () => {
  it('has every row of the list of pitfalls and no other', () => {
    expect(Object.keys(rows)).toEqual(pitfallIds)
  })

  it('names a test or a later issue with its reason in every row', () => {
    const empty = Object.entries(rows)
      .filter(([, { tests = [], issue, why }]) => tests.length === 0 && !(/^[B-G]$/.test(issue ?? '') && why))
      .map(([id]) => id)
    expect(empty).toEqual([])
  })

  it('lists the tests that name a row, all of them and no other (npm run x -- node scripts/pitfalls.mjs)', () => {
    for (const id of pitfallIds) {
      const found = titles.filter(({ ids }) => ids.includes(id)).map(({ file, title }) => ({ file, title }))
      expect([id, rows[id]?.tests ?? []]).toEqual([id, found])
    }
  })
})

/** Public reports of how test output was misread (field reports, block L); the adapters of a language model replay the rest of L29. */
const misread = 'L01 L02 L04 L05 L07 L08 L10 L11 L13 L14 L16 L17 L19 L20 L22 L23 L25 L26 L28 L29'.split(' ')

describe('public reports of misread test output', () => {
  for (const id of misread)
    it(`${id} has a test named after it`, () => expect(titles.some(({ ids }) => ids.includes(id))).toBe(true))
})
