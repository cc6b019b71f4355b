import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'
import { changedLines } from './changed-lines.ts'
import { diffSimilarity } from './diff-similarity.ts'

const grader = fileURLToPath(new URL('../../../grader/files/grade.py', import.meta.url))
const vectors = JSON.parse(readFileSync(new URL('../__fixtures__/reward-vectors.json', import.meta.url), 'utf8'))
  .vectors as {
  oracle: string
  predicted: string
}[]

it('grade.py gives the same similarity by each metric, on the vectors and on 1,500 shuffled diffs', () => {
  const pairs = [...vectors.map(({ oracle, predicted }) => [oracle, predicted] as const), ...shuffled(1500)]
  const expected = pairs.flatMap(([oracle, prediction]) => [
    diffSimilarity(oracle, prediction),
    changedLines(oracle, prediction),
  ])
  expect(byPython(pairs)).toEqual(expected)
})

/** Lines of real diffs, drawn and joined at random. */
function* shuffled(count: number): Generator<readonly [string, string]> {
  const lines = vectors.flatMap(({ oracle }) => oracle.split('\n')).slice(0, 400)
  const extra = [
    '--- a/x',
    '+++ b/x\t2020',
    '+++ /dev/null',
    '@@ -1,2 +1 @@ f',
    '@@ -1 +1,3 @@',
    'diff --git a/x b/x',
    '',
    '-',
    '+',
    ' ',
    'rename to y',
    '\\ No newline at end of file',
    '+++ ',
    '--- a/y ',
  ]
  let seed = 5
  const random = (below: number) => {
    seed = (Math.imul(seed, 1103515245) + 12345) >>> 0
    return (seed >>> 8) % below
  }
  const text = () =>
    Array.from({ length: random(30) }, () =>
      random(2) ? extra[random(extra.length)] : lines[random(lines.length)],
    ).join(['\n', '\r\n', '\u2028'][random(20)] ?? '\n')
  for (let i = 0; i < count; i++) {
    const oracle = text()
    yield [
      oracle,
      random(2)
        ? text()
        : oracle
            .split('\n')
            .filter(() => random(4) > 0)
            .join('\n'),
    ]
  }
}

function byPython(pairs: readonly (readonly [string, string])[]): unknown {
  const program = `import importlib.util, json, sys
sys.dont_write_bytecode = True
spec = importlib.util.spec_from_file_location("grade", sys.argv[1]); grade = importlib.util.module_from_spec(spec)
spec.loader.exec_module(grade)
print(json.dumps([grade.similarity(metric, a, b) for a, b in json.load(sys.stdin) for metric in ("ratio_v07", "changed_lines")]))`
  const input = JSON.stringify(pairs)
  return JSON.parse(execFileSync('python3', ['-I', '-c', program, grader], { input, maxBuffer: 1 << 28 }).toString())
}
