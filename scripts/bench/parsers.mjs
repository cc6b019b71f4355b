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
  'text (the memory-bound limit), and of the parser of grade.py on the largest: held to seconds, and to equal speed at all sizes.'

const SIZES = [50_000_000, 25_000_000, 12_500_000]
const LEAST_MS = 50
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
  const [whole, ...smaller] = SIZES.map((size) => Buffer.from(make(size)))
  const reading = (bytes) => () => cpuOf(() => parseReport(format, bytes))
  const scanning = () => cpuOf(() => scan(whole))
  const samples = await inTurn(rounds, [reading(whole), ...smaller.map(reading), scanning], signal)
  const [own, ...rest] = samples.map(median)
  const scanned = rest.pop()
  const speeds = [whole.length / own, ...smaller.map((bytes, at) => bytes.length / rest[at])]
  return {
    name: `${format}: ${family}`,
    n: rounds,
    ours: { label: 'parse', value: whole.length / own / 1000, unit: 'MB/s', samples: samples[0] },
    theirs: { label: 'scan', value: whole.length / scanned / 1000, unit: 'MB/s', samples: samples.at(-1) },
    ratio: scanned / own,
    held: [
      { label: '50 MB', value: own / 1000, unit: 's', bound: 'most', floor: 5, aim: 2 },
      {
        label: '50 MB in grade.py',
        value: gradePy(format, whole, folder),
        unit: 's',
        bound: 'most',
        floor: 10,
        aim: 10,
      },
      // Below some milliseconds the clock and the collector decide, not the parser.
      ...(Math.min(own, ...rest) < LEAST_MS
        ? []
        : [
            {
              label: 'slowest ÷ fastest of three sizes',
              value: Math.min(...speeds) / Math.max(...speeds),
              unit: '×',
              bound: 'least',
              floor: 0.8,
              aim: 0.9,
            },
          ]),
    ],
  }
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
