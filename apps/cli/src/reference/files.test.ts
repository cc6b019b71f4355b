import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'
import { meaningOf, readDeclarations } from './declarations.ts'
import { referenceFiles } from './files.ts'
import { fillMarks, table } from './markdown.ts'

it('finds every generated file as scripts/generate-reference.mjs writes it [M7]', async () => {
  const root = fileURLToPath(new URL('../../../../', import.meta.url))
  const files = await referenceFiles(root)
  expect(files.size).toBe(3)
  for (const [path, content] of files) expect(await readFile(path, 'utf8')).toBe(content)
})

it('fills marks and refuses a mark or a block without the other', () => {
  expect(fillMarks('a\n<!-- generated: x -->\nold\n<!-- end -->\nb', { x: 'new' })).toBe(
    'a\n<!-- generated: x -->\n\nnew\n\n<!-- end -->\nb',
  )
  expect(() => fillMarks('<!-- generated: y -->\n<!-- end -->', {})).toThrow('no generated block y')
  expect(() => fillMarks('', { x: '' })).toThrow('no mark for the generated blocks x')
})

it('keeps a cell on one line and in its column', () => {
  expect(table(['a'], [['x | y\n<z>'], ['`<c>`']])).toBe('| a |\n|---|\n| x \\| y &lt;z> |\n| `<c>` |')
})

it('reads declarations as they are written, and of functions the head alone', () => {
  const source = `/** Adds. More of it.
 * @throws R2eError \`full\` */
export async function add(
  first: number,
  rest: readonly number[],
): Promise<number> {
  return first
}

export type Kind =
  | 'a'
  | 'b'

/** Holds. */
export interface Box {
  readonly inside: { readonly deep: Kind }
}

export const LIMIT = 5
export const NAMES: readonly string[] = [
  'a',
]
function hidden() {
}
`
  const found = readDeclarations(source)
  expect(found.map(({ text }) => text.split('\n').at(-1))).toEqual([
    'function add(first: number, rest: readonly number[]): Promise<number>',
    "  | 'b'",
    '}',
    'const LIMIT = 5',
    'const NAMES: readonly string[]',
  ])
  expect(found.map(meaningOf)).toEqual(['Adds. Throws R2eError `full`', '', 'Holds.', '', ''])
})
