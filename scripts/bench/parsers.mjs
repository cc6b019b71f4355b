import { parseReport } from '../../packages/reward/dist/index.js'
import { REPORTS } from './hostile-reports.mjs'
import { cpuOf, inTurn, median } from './sample.mjs'

export const method =
  'Processor time of parseReport on 10 MB and on 5 MB, in turn with a scan for newlines in the decoded text (the memory-' +
  'bound limit); held to the seconds that 50 MB would take, and to equal speed at both sizes.'

const SIZE = 10_000_000
const LEAST_MS = 20

export async function* measure({ rounds = 3, signal }) {
  for (const [format, families] of Object.entries(REPORTS))
    for (const [family, make] of Object.entries(families)) yield await parse(format, family, { make, rounds, signal })
}

async function parse(format, family, { make, rounds, signal }) {
  const [whole, half] = [SIZE, SIZE / 2].map((size) => Buffer.from(make(size)))
  const reading = (bytes) => () => cpuOf(() => parseReport(format, bytes)) / bytes.length
  const scanning = () => cpuOf(() => scan(whole)) / whole.length
  const samples = await inTurn(rounds, [reading(half), reading(whole), scanning], signal)
  const [slow, fast, bare] = samples.map((perByte) => median(perByte) * 1e6)
  const name = `${format}: ${family}`
  return {
    name,
    n: rounds,
    ours: { label: 'parse', value: 1000 / fast, unit: 'MB/s', samples: samples[1] },
    theirs: { label: 'scan', value: 1000 / bare, unit: 'MB/s', samples: samples[2] },
    ratio: bare / fast,
    held: [
      { label: '50 MB', value: (fast * 50) / 1000, unit: 's', bound: 'most', floor: 5, aim: 2 },
      // Below some milliseconds the clock and the collector decide, not the parser.
      ...(slow * 5 < LEAST_MS
        ? []
        : [{ label: 'speed at 10 MB ÷ at 5 MB', value: slow / fast, unit: '×', bound: 'least', floor: 0.8, aim: 0.9 }]),
    ],
  }
}

function scan(bytes) {
  const text = bytes.toString('utf8')
  let lines = 0
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) lines++
  return lines
}
