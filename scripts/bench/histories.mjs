/** Commits as a library grows by them: a module and its test changed, now and then a file added, moved or removed. */
export function longHistory(count) {
  const random = randomOf(11)
  const files = new Map(Array.from({ length: 40 }, (_, index) => [`src/m${index}.py`, body(random, 120)]))
  const steps = [{ commit: 'Start the library', files: Object.fromEntries(files) }]
  while (steps.length < count) {
    const index = steps.length
    const paths = [...files.keys()]
    const path = paths[random(paths.length)]
    if (index % 97 === 0) {
      const moved = `src/moved${index}.py`
      files.set(moved, files.get(path))
      files.delete(path)
      steps.push({ commit: `Move ${path}`, rename: { [path]: moved } })
      continue
    }
    const lines = files.get(path).split('\n')
    for (let edits = 1 + random(4); edits > 0; edits--) lines.splice(random(lines.length), random(3), line(random))
    files.set(path, lines.join('\n'))
    const test = `tests/${path.slice(4)}`
    files.set(test, `${files.get(test) ?? ''}def test_${index}():\n    assert ${random(1000)}\n`.slice(-4000))
    steps.push({
      commit: `Fix the case ${index} of ${path}\n\nIt gave the wrong value for some inputs.`,
      files: { [path]: files.get(path), [test]: files.get(test) },
    })
  }
  return steps
}

/**
 * A Python module with one bug fix and its test per commit; a run of the suite burns `seconds` of processor time. No
 * package is needed to run it.
 */
export function fixHistory({ fixes, seconds }) {
  const numbers = Array.from({ length: fixes }, (_, index) => index)
  const source = (fixed) =>
    numbers.map((n) => `def total_${n}(items):\n    return sum(items${n < fixed ? '' : '[:9]'})\n`).join('\n\n')
  const tests = (fixed) =>
    [
      `import time\nimport unittest\n\nimport tally\n\n\ndef setUpModule():\n    while time.process_time() < ${seconds}:\n        pass\n`,
      'class TallyTest(unittest.TestCase):',
      ...numbers.map((n) => test(`total_${n}`, n, 2)),
      ...numbers.slice(0, fixed).map((n) => test(`total_${n}_of_many`, n, 20)),
    ].join('\n')
  const files = (fixed) => ({ 'tally.py': source(fixed), 'test_tally.py': tests(fixed) })
  return [
    { commit: 'Start the tally module', files: files(0) },
    ...numbers.map((n) => ({
      commit: `Fix total ${n} of many items\n\nOnly the first nine items were counted.`,
      files: files(n + 1),
    })),
  ]
}

const test = (name, n, items) =>
  `    def test_${name}(self):\n        self.assertEqual(tally.total_${n}([1] * ${items}), ${items})\n`

/** A reproducible source of whole numbers below a bound. */
export function randomOf(seed) {
  let state = seed
  return (below) => {
    state = (Math.imul(state, 1103515245) + 12345) >>> 0
    return (state >>> 8) % below
  }
}

const WORDS = ['value', 'items', 'name', 'path', 'result', 'index', 'text', 'count', 'node', 'key']

export function line(random) {
  const word = () => WORDS[random(WORDS.length)]
  return `${' '.repeat(4 * random(4))}${word()}_${random(300)} = ${word()}(${word()}, ${random(2000)})`
}

function body(random, lines) {
  return Array.from({ length: lines }, () => line(random)).join('\n')
}
