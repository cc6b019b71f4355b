import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { changedLines } from './changed-lines.ts'
import { countMatches } from './count-matches.ts'
import { diffSimilarity, MAX_LINES } from './diff-similarity.ts'

interface Vector {
  readonly id: string
  readonly oracle: string
  readonly predicted: string
  readonly old_ratio: number
  readonly old_meta: object
}
const file = new URL('../__fixtures__/reward-vectors.json', import.meta.url)
const { vectors } = JSON.parse(readFileSync(file, 'utf8')) as { vectors: Vector[] }

describe('diffSimilarity', () => {
  for (const vector of vectors)
    it(`gives ${vector.old_ratio} for ${vector.id}`, () => {
      const { similarity, status, ...counts } = diffSimilarity(vector.oracle, vector.predicted)
      expect(status).toBe('ok')
      expect(similarity).toBeCloseTo(vector.old_ratio, 12)
      expect(counts).toEqual(vector.old_meta)
    })

  const table: [string, string, string, number][] = [
    ['takes the longest block, not the longest subsequence', 'a\nb\na', 'b\nc\na', 1 / 3],
    ['is not symmetric', 'b\nc\na', 'a\nb\na', 2 / 3],
    ['counts order', 'a\nb', 'b\na', 0.5],
    ['calls blank against blank 0', ' ', '\u001f\u0085', 0],
    ['keeps U+FEFF as text', '\ufeff', '\ufeff', 1],
    ['drops headers of the oracle', 'diff --git a/x b/x\nindex 1..2', 'x', 0],
  ]
  for (const [title, oracle, prediction, value] of table)
    it(title, () => expect(diffSimilarity(oracle, prediction).similarity).toBeCloseTo(value, 12))

  it('answers too_large and no number above the limit', () => {
    const half = 'x\n'.repeat(MAX_LINES / 2)
    expect(diffSimilarity(half, half).similarity).toBe(1)
    expect(diffSimilarity(`${half}x`, half)).toMatchObject({ status: 'too_large', similarity: null })
  })
})

describe('countMatches', () => {
  it('equals difflib on 4,000 random pairs and on hostile families', () => {
    const pairs = [
      ...randomPairs(4000),
      ...Object.values(hostile(60)).flatMap(([a, b]) => [[a, b] as const, [b, a] as const]),
    ]
    const expected = difflib(pairs)
    const found = pairs.map(([a, b]) => countMatches(a, b))
    expect(found).toEqual(expected)
  })

  for (const [name, [a, b]] of Object.entries(hostile(39_000)))
    it(`takes less than 2 s for 2 × 39,000 lines: ${name}`, () => {
      expect(cpuMs(() => [countMatches(a, b), countMatches(b, a)]) / 2).toBeLessThan(2000)
    })
})

describe('changedLines', () => {
  const head = (path: string) => `diff --git a/${path} b/${path}\nindex 1..2 100644\n--- a/${path}\n+++ b/${path}\n`
  const one = `${head('x')}@@ -1,3 +1,3 @@\n a\n-b\n+c\n d\n`
  const two = `${head('y')}@@ -9 +9 @@ f\n--- drop table\n+++ keep\n`
  it('ignores context, positions, ids and the order of files [F5]', () => {
    const bare = `${head('x').replace('1..2', '3..4')}@@ -2 +2 @@ g\n-b\n+c\n`
    expect(changedLines(one + two, two + bare).similarity).toBe(1)
  })
  it('keeps removed lines that look like file headers', () => {
    expect(changedLines(two, two)).toMatchObject({ oracle_lines: 4, matched_lines: 4 })
  })
  it('gives a one-line fix of the right file with the wrong line no more than its markers [F5]', () => {
    expect(changedLines(one, one.replace('+c', '+e'))).toMatchObject({ similarity: 0.75, matched_lines: 3 })
  })
  it('gives a change of another file 0', () => {
    expect(changedLines(one, one.replaceAll('/x', '/z')).similarity).toBe(0)
  })
  it('compares renames and modes', () => {
    const rename = 'diff --git a/p b/q\nsimilarity index 90%\nrename from p\nrename to q\n'
    expect(changedLines(rename, rename.replace('90', '80')).similarity).toBe(1)
  })
  it('takes a deletion and a diff without git lines', () => {
    const gone = '--- a/x\n+++ /dev/null\n@@ -1,2 +0,0 @@\n-a\n-b\n'
    expect(changedLines(gone, `diff --git a/x b/x\ndeleted file mode 100644\n${gone}`).similarity).toBeCloseTo(8 / 9)
  })
  it('stays linear on long headers and many sections', () => {
    const work = () => changedLines(`diff --git a/x b/x\n${'old mode 1\n'.repeat(45_000)}`, one.repeat(9000))
    expect(cpuMs(work)).toBeLessThan(1000)
  })
})

/** Time of this process alone: other load on the machine does not count. */
function cpuMs(work: () => unknown): number {
  const start = process.cpuUsage()
  work()
  return process.cpuUsage(start).user / 1000
}

function* randomPairs(count: number): Generator<readonly [string[], string[]]> {
  let seed = 7
  const random = (below: number) => {
    seed = (Math.imul(seed, 1103515245) + 12345) >>> 0
    return (seed >>> 8) % below
  }
  const text = (letters: number) => Array.from({ length: random(40) }, () => String(random(letters)))
  for (let i = 0; i < count; i++) {
    const letters = 1 + random(9)
    const a = text(letters)
    const b = random(2) === 0 ? text(letters) : a.filter(() => random(5) > 0).concat(text(letters).slice(0, 3))
    yield [a, b]
  }
}

function hostile(size: number): Record<string, readonly [string[], string[]]> {
  const lines = (make: (i: number) => unknown) => Array.from({ length: size }, (_, i) => String(make(i)))
  const blocks = (separator: (i: number) => string) => {
    const out: string[] = []
    for (let length = 1, id = 0; out.length < size; length++) {
      for (let i = 0; i < length; i++) out.push(String(id++))
      out.push(separator(length))
    }
    return out.slice(0, size)
  }
  const zigzag = (step: number) => lines((i) => (i * step) % (size - 1))
  return {
    'one line repeated': [lines(() => 'x'), lines(() => 'x').slice(size / 3)],
    'one line among others': [lines((i) => (i % 5 ? 'x' : i)), lines((i) => (i % 7 ? 'x' : -i))],
    'three kinds of line': [lines((i) => (i * i) % 3), lines((i) => (i * i * i + (i >> 3)) % 3)],
    'periodic, other phase': [lines((i) => i % 7), lines((i) => (i + 3) % 8)],
    'blocks of length one': [lines((i) => (i % 2 ? `a${i}` : i)), lines((i) => (i % 2 ? `b${i}` : i))],
    'growing blocks': [blocks((i) => `a${i}`), blocks((i) => `b${i}`)],
    'shrinking blocks': [blocks((i) => `a${i}`).reverse(), blocks((i) => `b${i}`).reverse()],
    'permuted lines': [lines((i) => i), zigzag(7919)],
    'runs of growing length': [
      blocks((i) => `a${i}`).map((x) => (x[0] === 'a' ? x : 'r')),
      blocks((i) => `b${i}`).map((x) => (x[0] === 'b' ? x : 'r')),
    ],
    'Thue-Morse': [
      lines((i) => i.toString(2).replaceAll('0', '').length % 2),
      lines((i) => (i + 1).toString(2).replaceAll('0', '').length % 2),
    ],
  }
}

function difflib(pairs: readonly (readonly [string[], string[]])[]): number[] {
  const program = `import sys, json, difflib
print(json.dumps([sum(m.size for m in difflib.SequenceMatcher(None, a, b, autojunk=False).get_matching_blocks())
  for a, b in json.load(sys.stdin)]))`
  const input = JSON.stringify(pairs)
  return JSON.parse(execFileSync('python3', ['-c', program], { input, maxBuffer: 1 << 28 }).toString()) as number[]
}
