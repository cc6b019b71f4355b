import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseReport } from '../../packages/reward/dist/index.js'
import { REPORTS } from './hostile-reports.mjs'
import { cpuOf, inTurn, median } from './sample.mjs'

export const method =
  'Processor time of parseReport on 50, 25 and 12.5 MB of each pattern, in turn with a scan for newlines in the decoded ' +
  'text (the memory-bound limit), and of the parser of grade.py on the largest: held to seconds, and to equal speed at all sizes. ' +
  'A report of many ids becomes a table, and a table outgrows the caches of the machine: there the speeds are as equal as ' +
  'those of a plain object that is filled with the same ids, in turn with the rest.'

const SIZES = [50_000_000, 25_000_000, 12_500_000]
const LEAST_MS = 50
/** Fewer ids fit into every cache. */
const MANY_IDS = 20_000
const GRADER = fileURLToPath(new URL('../../packages/grader/files/', import.meta.url))
const PROGRAM = `import sys, time
sys.dont_write_bytecode = True
sys.path.insert(0, sys.argv[1])
from report import parse_report
data = open(sys.argv[3], "rb").read()
begin = time.process_time()
parse_report(sys.argv[2], data)
print(time.process_time() - begin)`

export async function* measure({ rounds = 2, signal }) {
  const folder = mkdtempSync(join(tmpdir(), 'r2e-bench-parsers-'))
  try {
    for (const [format, families] of Object.entries(REPORTS))
      for (const [family, make] of Object.entries(families))
        yield await parse(format, family, { make, folder, rounds: Math.min(rounds, 2), signal })
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

async function parse(format, family, { make, folder, rounds, signal }) {
  const sizes = SIZES.map((size) => Buffer.from(make(size)))
  const [whole] = sizes
  const listed = sizes.map((bytes) => idsOf(format, bytes))
  const samples = await inTurn(
    rounds,
    [
      () => cpuOf(() => scan(whole)),
      ...sizes.map((bytes) => () => cpuOf(() => parseReport(format, bytes))),
      ...(listed[0].count < MANY_IDS
        ? []
        : listed.map(
            ({ text }) =>
              () =>
                cpuOf(() => fill(text)),
          )),
    ],
    signal,
  )
  const [scanned, ...times] = samples.map(median)
  const parsed = times.splice(0, sizes.length)
  const speeds = sizes.map((bytes, at) => bytes.length / parsed[at])
  return {
    name: `${format}: ${family}`,
    n: rounds,
    ours: { label: 'parse', value: speeds[0] / 1000, unit: 'MB/s', samples: samples[1] },
    theirs: { label: 'scan', value: whole.length / scanned / 1000, unit: 'MB/s', samples: samples[0] },
    ratio: scanned / parsed[0],
    held: [
      { label: '50 MB', value: parsed[0] / 1000, unit: 's', bound: 'most', floor: 5, aim: 2 },
      {
        label: '50 MB in grade.py',
        value: gradePy(format, whole, folder),
        unit: 's',
        bound: 'most',
        floor: 10,
        aim: 10,
      },
      // Below some milliseconds the clock and the collector decide, not the parser.
      ...(Math.min(...parsed) < LEAST_MS
        ? []
        : [
            evenness(
              speeds,
              times.map((time, at) => listed[at].count / time),
            ),
          ]),
    ],
  }
}

function evenness(speeds, tableSpeeds) {
  const own = flatness(speeds)
  const table = tableSpeeds.length > 0 ? flatness(tableSpeeds) : 1
  const beside = tableSpeeds.length > 0 ? ` (${own.toFixed(2)}) beside that of a table (${table.toFixed(2)})` : ''
  return {
    label: `slowest ÷ fastest of three sizes${beside}`,
    value: own / table,
    unit: '×',
    bound: 'least',
    floor: 0.8,
    aim: 0.9,
  }
}

const flatness = (speeds) => Math.min(...speeds) / Math.max(...speeds)

function idsOf(format, bytes) {
  const ids = Object.keys(parseReport(format, bytes).tests)
  return { count: ids.length, text: ids.map((id) => `${id}\n`).join('') }
}

/** What a parser does at the least for each id that it finds: cut it out, and put it into a table. */
function fill(text) {
  const table = Object.create(null)
  for (let at = 0, end = text.indexOf('\n'); end >= 0; at = end + 1, end = text.indexOf('\n', at))
    table[text.slice(at, end)] = 'PASSED'
  return table
}

/** Seconds of processor time. */
function gradePy(format, bytes, folder) {
  const file = join(folder, 'report')
  writeFileSync(file, bytes)
  return Number(execFileSync('python3', ['-I', '-c', PROGRAM, GRADER, format, file]).toString())
}

function scan(bytes) {
  const text = bytes.toString('utf8')
  let lines = 0
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) lines++
  return lines
}
