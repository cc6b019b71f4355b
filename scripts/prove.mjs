// npm run prove -- DATASET [--repeat K]: every task of a dataset in the real Harbor, with its oracle and without.
import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = dirname(dirname(fileURLToPath(import.meta.url)))
const prove = join(process.env.R2E_LAB ?? join(root, '..', 'shared', 'lab'), 'prove')
if (!existsSync(prove)) {
  process.stderr.write(`no_lab: ${prove} does not exist. Set R2E_LAB to a folder with prove, harbor and docker-up.\n`)
  process.exit(2)
}
const [dataset, ...rest] = process.argv.slice(2)
if (!dataset) {
  process.stderr.write('usage: npm run prove -- DATASET [--repeat K]\n')
  process.exit(2)
}
const place = resolve(process.env.INIT_CWD ?? process.cwd(), dataset)
const { status } = spawnSync(prove, [place, ...rest], { cwd: dirname(place), stdio: 'inherit' })
process.exit(status ?? 1)
