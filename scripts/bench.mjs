// npm run bench: figures beside what they are held against, measured in one run. Exit 1 where a floor is missed.
import { writeFile } from 'node:fs/promises'
import { cpus } from 'node:os'
import { parseOptions, USAGE } from './bench/options.mjs'
import { headingOf, linesOf, missed } from './bench/report.mjs'

const BENCHES = ['start', 'mining', 'similarity', 'parsers', 'overhead', 'efficiency']

const stop = new AbortController()
for (const name of ['SIGINT', 'SIGTERM']) process.once(name, () => stop.abort())

try {
  const options = parseOptions(process.argv.slice(2), BENCHES)
  process.exitCode = options.help ? say(USAGE) : await bench({ ...options, signal: stop.signal })
} catch (error) {
  process.exitCode = stop.signal.aborted ? 130 : 2
  process.stderr.write(`${error instanceof Error ? error.message : error}\n`)
}

async function bench(options) {
  say(`Node ${process.versions.node}, ${cpus().length} cores of ${cpus()[0]?.model ?? 'an unknown kind'}`)
  const results = []
  for (const name of options.only) {
    const { method, measure } = await import(`./bench/${name}.mjs`)
    say(headingOf(name, method))
    const rows = []
    for await (const row of measure(options)) {
      rows.push(row)
      say(linesOf(row))
    }
    results.push({ name, method, rows })
  }
  if (options.json) await writeFile(options.json, `${JSON.stringify(results, null, 2)}\n`)
  const rows = results.flatMap((result) => result.rows)
  const misses = rows.flatMap(missed)
  const skips = rows.filter((row) => row.skipped)
  say(`\n${rows.length - skips.length} measured, ${skips.length} could not run, ${misses.length} below their floor`)
  return misses.length > 0 ? 1 : 0
}

function say(text) {
  process.stdout.write(`${text}\n`)
  return 0
}
