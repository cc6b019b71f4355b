import { spawn } from 'node:child_process'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { diffSimilarity } from '../../packages/reward/dist/index.js'
import { line, randomOf } from './histories.mjs'
import { cpuOf, inTurn, median } from './sample.mjs'

export const method =
  'Processor time of diffSimilarity in turn with CPython difflib (autojunk off) on the same normalised diffs; the ' +
  'values must be equal. Floors of performance.md §6.8: 15 ms for 500 lines; 2 s for 20,000 changed lines.'

const PROGRAM = fileURLToPath(new URL('./similarity.py', import.meta.url))
const LARGE = 20_000
const SMALL = { floor: 15, aim: 6 }
const BIG = { floor: 2000, aim: 1000 }

export async function* measure({ rounds = 5, capSeconds, signal }) {
  const random = randomOf(3)
  const some = (count, make) => Array.from({ length: count }, make)
  const edited = (lines) => lines.flatMap((old) => (random(10) ? [old] : random(2) ? [changed(random)] : []))
  const pairOf = (size) => {
    const lines = diffLines(random, size)
    return [lines.join('\n'), edited(lines).join('\n')]
  }
  const unrelated = () => [diffLines(random, LARGE).join('\n'), diffLines(randomOf(4), LARGE).join('\n')]
  const kinds = (make) => some(LARGE, (_, i) => `+line ${make(i) % 3}`).join('\n')
  const large = {
    similar: pairOf(LARGE),
    unrelated: unrelated(),
    'three kinds of line': [kinds((i) => i * i), kinds((i) => i * i * i + (i >> 3))],
  }
  yield await compare(
    '3,000 pairs of 5 to 60 lines',
    some(3000, () => pairOf(5 + random(56))),
    { ...SMALL, rounds, capSeconds, signal },
  )
  yield await compare(
    '500 lines, 20 pairs',
    some(20, () => pairOf(500)),
    { ...SMALL, rounds, capSeconds, signal },
  )
  for (const [name, pair] of Object.entries(large))
    yield await compare(`20,000 changed lines, ${name}`, [pair], {
      ...BIG,
      rounds: Math.min(rounds, 3),
      capSeconds,
      signal,
    })
}

async function compare(name, pairs, { floor, aim, rounds, capSeconds, signal }) {
  const all = () => pairs.map(([a, b]) => diffSimilarity(a, b).similarity)
  const ratios = all()
  const ours = () => cpuOf(all) / pairs.length
  let reference
  let slow = false
  const theirs = async (round) => {
    // The first round only warms: CPython needs none, and one sample is enough of what takes its time.
    if (round === 0 || slow) return undefined
    reference = await difflib(pairs, { capSeconds, signal })
    slow = reference.seconds > 5
    return (reference.seconds * 1000) / pairs.length
  }
  const [own, other] = await inTurn(rounds, [ours, theirs], signal)
  const found = other.filter((sample) => sample !== undefined)
  const ratio = median(own) / median(found)
  const equal = reference.ratios?.filter((value, index) => value === ratios[index]).length
  return {
    name,
    n: own.length,
    ours: { label: 'r2e', value: median(own), unit: 'ms', samples: own },
    theirs: {
      label: `difflib (n=${found.length})`,
      value: median(found),
      unit: 'ms',
      samples: found,
      capped: !reference.ratios,
    },
    ratio,
    note: equal === undefined ? 'difflib did not finish' : `${equal} of ${pairs.length} values equal`,
    held: [
      { label: 'a pair', value: median(own), unit: 'ms', bound: 'most', floor, aim },
      ...(equal === undefined
        ? []
        : [{ label: 'equal values', value: equal / pairs.length, unit: '%', bound: 'least', floor: 1, aim: 1 }]),
    ],
  }
}

/** Seconds and values of CPython; no values where the cap came first. */
async function difflib(pairs, { capSeconds, signal }) {
  const child = spawn('python3', ['-I', PROGRAM], { stdio: ['pipe', 'pipe', 'inherit'], signal })
  const end = new Promise((done, fail) => child.on('error', fail).on('close', done))
  const timer = setTimeout(() => child.kill('SIGKILL'), capSeconds * 1000)
  child.stdin.on('error', () => {}) // a killed process takes no more input
  child.stdin.end(JSON.stringify(pairs))
  const [output] = await Promise.all([text(child.stdout), end])
  clearTimeout(timer)
  if (child.exitCode === 0) return JSON.parse(output)
  if (child.signalCode === 'SIGKILL') return { seconds: capSeconds }
  throw new Error(`python3 ${PROGRAM} exited ${child.exitCode}`)
}

function diffLines(random, size) {
  const lines = ['diff --git a/src/a.py b/src/a.py', 'index 1..2 100644', '--- a/src/a.py', '+++ b/src/a.py']
  while (lines.length < size)
    lines.push(lines.length % 40 === 4 ? `@@ -${lines.length} +${lines.length} @@` : changed(random))
  return lines
}

const changed = (random) => `${'+-'[random(2)]}${line(random)}`
