import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'

/** How many rows each block of the list of pitfalls has. */
const blocks = { A: 18, B: 19, C: 12, D: 8, E: 11, F: 16, G: 4, H: 4, I: 16, J: 8, K: 10, L: 8, M: 7, N: 4, W: 34 }

export const pitfallIds = Object.entries(blocks).flatMap(([block, count]) =>
  Array.from({ length: count }, (_, i) => `${block}${i + 1}`),
)

/** A string literal that ends in ids in brackets; rows of parsers.md (two digits) may stand among them. */
const titled = /(['"`])((?:\\.|(?!\1)[^\n\\])*) \[((?:[A-Z]+\d+ ?)+)\]\1/g

/** Every title with ids, of all tests, of the suites that adapters share, and of the corpus of reports. */
export async function readTitles(root) {
  const found = await Promise.all(
    ['packages', 'apps', 'tests'].map((folder) => readdir(join(root, folder), { recursive: true })),
  )
  const files = ['packages', 'apps', 'tests'].flatMap((folder, i) => found[i].map((name) => `${folder}/${name}`))
  const wanted = files
    .filter((file) => !/(^|\/)(node_modules|dist)\//.test(file))
    .filter(
      (file) =>
        file.endsWith('.test.ts') ||
        (file.startsWith('packages/testing/src/') && file.endsWith('.ts')) ||
        /^packages\/reward\/fixtures\/[^/]+\/cases\.json$/.test(file),
    )
  const titles = await Promise.all(
    wanted.sort().map(async (file) => titlesOf(file, await readFile(join(root, file), 'utf8'))),
  )
  return titles.flat()
}

function titlesOf(file, text) {
  return [...text.matchAll(titled)].map(([, , title, ids]) => ({
    file,
    title: `${title} [${ids}]`,
    ids: ids.split(' '),
  }))
}

/** One line a test, so that a change shows as one line. */
export function format(rows) {
  const line = ([id, { tests, ...rest }]) => {
    const parts = Object.entries(rest).map(([key, value]) => `${JSON.stringify(key)}: ${JSON.stringify(value)}`)
    const list = tests?.map((test) => `\n      ${JSON.stringify(test)}`).join(',')
    if (list) parts.unshift(`"tests": [${list}\n    ]`)
    return `  ${JSON.stringify(id)}: { ${parts.join(', ')} }`
  }
  return `{\n${Object.entries(rows).map(line).join(',\n')}\n}\n`
}
