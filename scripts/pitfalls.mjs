// Writes docs/pitfalls.json: which test covers which known pitfall. Tests name their rows in brackets at the end of a
// title; rows that later issues cover ("issue", "why") are written by hand in the file and kept. Run after new titles.
import { readFile, writeFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { format, pitfallIds, readTitles } from './pitfall-titles.mjs'

const root = fileURLToPath(new URL('../', import.meta.url))
const path = `${root}docs/pitfalls.json`
const written = JSON.parse(await readFile(path, 'utf8').catch(() => '{}'))
const titles = await readTitles(root)

const rows = pitfallIds.map((id) => {
  const { issue, why } = written[id] ?? {}
  const tests = titles.filter(({ ids }) => ids.includes(id)).map(({ file, title }) => ({ file, title }))
  return [id, { ...(tests.length > 0 && { tests }), ...(issue && { issue, why }) }]
})
await writeFile(path, format(Object.fromEntries(rows)))
const open = rows.filter(([, row]) => Object.keys(row).length === 0).map(([id]) => id)
process.stdout.write(
  open.length > 0 ? `without test and issue: ${open.join(' ')}\n` : 'every row has a test or an issue\n',
)
