// Draws rows of docs/pitfalls.json by a seed, one test each. Take the guard of a test out: the test has to fail.
// npm run x -- node scripts/guards.mjs [--seed N] [--count N]
import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { parseArgs } from 'node:util'

const { values } = parseArgs({
  options: { seed: { type: 'string', default: '20261130' }, count: { type: 'string', default: '10' } },
})
if (!/^[1-9]\d*$/.test(values.count)) throw new Error(`--count ${values.count} is no whole number above 0`)
const rows = JSON.parse(await readFile(new URL('../docs/pitfalls.json', import.meta.url), 'utf8'))

/** The order of digests: a row that joins or leaves the file moves no other. */
function shuffled(list, nameOf) {
  const rank = (item) =>
    createHash('sha256')
      .update(`${values.seed} ${nameOf(item)}`)
      .digest('hex')
  return list.toSorted((a, b) => (rank(a) < rank(b) ? -1 : 1))
}

const covered = Object.entries(rows).flatMap(([id, { tests }]) => (tests ? [{ id, tests }] : []))
for (const { id, tests } of shuffled(covered, (row) => row.id).slice(0, Number(values.count))) {
  const [test] = shuffled(tests, ({ file, title }) => `${id} ${file} ${title}`)
  process.stdout.write(`${id}\t${test.file}\t${test.title}\n`)
}
