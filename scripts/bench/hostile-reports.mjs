/** Reports of a given size by format: what runners write, and what a hostile test would have them write. */
export const REPORTS = {
  'junit-pytest': {
    'passed cases': (size) =>
      document(
        counted(
          size,
          (n) => `<testcase classname="tests.test_a.T${n % 50}" name="test_${n}" file="tests/test_a.py" time="0.1"/>`,
        ),
      ),
    'long class names': (size) =>
      document(fill(size, `<testcase classname="${'a.'.repeat(900)}" name="x" file="b.py"/>`)),
    'one attribute': (size) => document(`<testcase classname="a" file="a.py" name="${fill(size, 'x ')}"/>`),
    entities: (size) => document(`<testcase classname="a" file="a.py" name="b">${fill(size, '&lt;&#120;')}</testcase>`),
    'text that begins like a document': (size) => fill(size, '<testsuit '),
  },
  'junit-maven': {
    'passed cases': (size) =>
      document(counted(size, (n) => `<testcase classname="shop.Price${n % 50}Test" name="adds(int, int)[${n}]"/>`)),
    'one name': (size) => document(fill(size, '<testcase classname="a.B" name="m(int)[1]"/>')),
    'parentheses in a name': (size) => document(`<testcase classname="a" name="${fill(size, '(a)')}"/>`),
    'invocations of a name': (size) => document(`<testcase classname="a" name="m()${fill(size, '[1]')}"/>`),
    'addresses in a name': (size) => document(`<testcase classname="a" name="${fill(size, 'A@12345 ')}"/>`),
    'brackets in a name': (size) => document(`<testcase classname="a" name="${fill(size, '[')}]"/>`),
  },
  'junit-gradle': {
    'passed cases': (size) =>
      document(counted(size, (n) => `<testcase classname="shop.PriceTest" name="[${n}] 1, 2"/>`)),
    'long paths': (size) => document(fill(size, `<testcase classname="${'a.'.repeat(900)}" name="x()"/>`)),
  },
  trx: {
    'passed results': (size) => trx(counted(size, (n) => result(`Ns.Class.Adds(a: ${n})`))),
    'one result': (size) => trx(fill(size, result('Ns.Class.Adds(a: 1)'))),
    'parentheses in a name': (size) => trx(result(fill(size, '(a)'))),
    definitions: (size) =>
      trx(
        '',
        counted(size, (n) => `<UnitTest id="${n}"><TestMethod className="A.B" name="c" /></UnitTest>`),
      ),
    'text that begins like a document': (size) => fill(size, '<TestRun '),
  },
  'go-json': {
    'end events': (size) =>
      counted(
        size,
        (n) =>
          `{"Time":"2024-01-01T00:00:00Z","Action":"pass","Package":"example.com/a","Test":"Test${n}","Elapsed":0.01}\n`,
      ),
    'output events': (size) =>
      counted(
        size,
        (n) =>
          `{"Time":"2024-01-01T00:00:00Z","Action":"output","Package":"example.com/a","Test":"Test${n % 500}","Output":"    --- line ${n}\\n"}\n`,
      ),
    'open braces': (size) => fill(size, '{"a":'),
    'blank lines': (size) => fill(size, '\n'),
  },
  'events-jsonl': {
    'end events': (size) => counted(size, (n) => `{"event":"end","id":"module.Case.test_${n}","status":"PASSED"}\n`),
    'one event': (size) => fill(size, '{"event":"end","id":"m.C.t","status":"PASSED"}\n'),
  },
  'text-pytest': {
    'passed tests': (size) => counted(size, (n) => `tests/test_a.py::test_${n} PASSED [ 50%]\n`),
    'an id and blanks': (size) => `t/a.py::t${fill(size, ' ')}x`,
    'brackets and statuses': (size) => `t/a.py::t${fill(size, '[PASSED ')}`,
    'dashes in a reason': (size) => `=== short test summary info ===\nFAILED t/a.py::t[${fill(size, ' - ')}`,
    colons: (size) => `${fill(size, 'a::')} PASSED`,
    'escape sequences': (size) => fill(size, '\x1b[0'),
  },
}

const document = (cases) => `<?xml version="1.0"?><testsuites><testsuite>${cases}</testsuite></testsuites>`
const result = (name) => `<UnitTestResult testId="0" testName="${name}" outcome="Passed" />`
const trx = (results, definitions = '<UnitTest id="0"><TestMethod className="Ns.Class" name="Adds" /></UnitTest>') =>
  `<?xml version="1.0"?><TestRun><Results>${results}</Results><TestDefinitions>${definitions}</TestDefinitions></TestRun>`
const fill = (size, unit) => unit.repeat(Math.ceil(size / unit.length))

function counted(size, unit) {
  const units = []
  for (let length = 0, n = 0; length < size; n++) {
    units.push(unit(n))
    length += units[n].length
  }
  return units.join('')
}
