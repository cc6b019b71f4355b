import { dirname, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'

export const ROOT = dirname(dirname(dirname(fileURLToPath(import.meta.url))))
export const CLI = join(ROOT, 'apps/cli/dist/main.js')
/** Generated repositories, and the state of the runs that are measured. */
export const STATE = join(ROOT, '.r2e', 'bench')

export const USAGE = `usage: npm run bench -- [options]

  --repo PATH         repository for mining and efficiency (default: generated ones)
  --only NAME         start, mining, similarity, parsers, overhead or efficiency; may be repeated
  --rounds N          measurements of each side, after one that warms up (default: each bench's own)
  --json FILE         write every sample as JSON
  --base-image IMAGE  base image of what runs in Docker (default lab/python)
  --generate "ARGS"   more arguments for \`r2e generate\` in efficiency
  --cap SECONDS       how long CPython may compute one similarity (default 60)`

/** @throws Error with the usage for what is no option */
export function parseOptions(words, benches) {
  const options = {
    repo: { type: 'string' },
    only: { type: 'string', multiple: true },
    rounds: { type: 'string' },
    json: { type: 'string' },
    'base-image': { type: 'string' },
    generate: { type: 'string', default: '' },
    cap: { type: 'string', default: '60' },
    help: { type: 'boolean', short: 'h', default: false },
  }
  const { values } = explained(() => parseArgs({ args: joined(words), options }))
  const only = values.only ?? benches
  for (const name of only) if (!benches.includes(name)) throw wrong(`--only ${name}: no such bench`)
  return {
    help: values.help,
    only,
    repo: placeOf(values.repo),
    json: placeOf(values.json),
    rounds: values.rounds === undefined ? undefined : count('--rounds', values.rounds),
    capSeconds: count('--cap', values.cap),
    baseImage: values['base-image'],
    generate: wordsOf(values.generate),
  }
}

/** `--generate "--limit 3"` as one word: a value that begins with a dash is refused otherwise. */
function joined(words) {
  const at = words.indexOf('--generate')
  return at < 0 ? words : words.toSpliced(at, 2, `--generate=${words[at + 1] ?? ''}`)
}

/** Shell-like words; quotes keep blanks together. */
function wordsOf(text) {
  return (text.match(/(?:[^\s'"]|'[^']*'|"[^"]*")+/g) ?? []).map((word) =>
    word.replace(/'([^']*)'|"([^"]*)"/g, (_, single, double) => single ?? double),
  )
}

// npm starts the program in the workspace; paths belong to the caller's folder.
const placeOf = (path) => path && resolve(process.env.INIT_CWD ?? process.cwd(), path)

function count(name, text) {
  const value = Number(text)
  if (!Number.isInteger(value) || value < 1) throw wrong(`${name} ${text}: not a whole number above 0`)
  return value
}

function explained(work) {
  try {
    return work()
  } catch (error) {
    throw wrong(error.message)
  }
}

const wrong = (message) => new Error(`${message}\n\n${USAGE}`)
