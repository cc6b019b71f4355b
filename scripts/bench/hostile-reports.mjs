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
  'junit-phpunit': {
    'passed cases': (size) =>
      document(
        counted(size, (n) => `<testcase name="test${n}" class="Acme\\ATest" file="/app/tests/ATest.php" time="0.1"/>`),
      ),
    'risky marks': (size) =>
      document(`<testcase name="t" class="A" file="a.php">${fill(size, '<error type="\\RiskyTestX"/>')}</testcase>`),
    'one attribute': (size) => document(`<testcase class="a" file="/app/a.php" name="${fill(size, 'x ')}"/>`),
  },
  'rspec-json': {
    'passed examples': (size) =>
      `{"examples":[${counted(
        size,
        (n) =>
          `{"id":"./spec/a_spec.rb[1:${n}]","full_description":"A does ${n}","status":"passed","file_path":"./spec/a_spec.rb"},`,
      )}{}]}`,
    'equal titles': (size) =>
      `{"examples":[${fill(size, '{"id":"./a_spec.rb[1]","full_description":"a","status":"passed"},')}{}]}`,
    addresses: (size) =>
      `{"examples":[{"id":"./a[1]","status":"passed","full_description":"${fill(size, ':0xabcdef0123456789')}"}]}`,
    'messages of one line': (size) =>
      `{"examples":[],"messages":["An error occurred while loading ${fill(size, ' - Did you mean')}"],"summary":{"errors_outside_of_examples_count":1}}`,
    'open braces': (size) => fill(size, '{"examples":['),
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
const fill = (size, unit) => unit.repeat(Math.ceil(size / unit.length))

function counted(size, unit) {
  const units = []
  for (let length = 0, n = 0; length < size; n++) {
    units.push(unit(n))
    length += units[n].length
  }
  return units.join('')
}
