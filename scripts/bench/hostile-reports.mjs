/** Reports of a given size by format: what runners write, and what a hostile test would have them write. */
export const REPORTS = {
  'catch-xml': {
    'passed cases': (size) =>
      `<Catch2TestRun>${counted(size, (n) => `<TestCase name="case ${n}"><OverallResult success="true"/></TestCase>`)}</Catch2TestRun>`,
    'equal names': (size) =>
      `<Catch2TestRun>${fill(size, '<TestCase name="a"><OverallResult success="true"/></TestCase>')}</Catch2TestRun>`,
    'text that begins like a document': (size) => fill(size, '<Catch '),
  },
  'events-jsonl': {
    'end events': (size) => counted(size, (n) => `{"event":"end","id":"module.Case.test_${n}","status":"PASSED"}\n`),
    'one event': (size) => fill(size, '{"event":"end","id":"m.C.t","status":"PASSED"}\n'),
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
  'gtest-json': {
    'passed tests': (size) =>
      `{"testsuites":[{"name":"S","testsuite":[${counted(size, (n) => `{"name":"T${n}","status":"RUN","result":"COMPLETED"},`)}{}]}]}`,
    'open braces': (size) => fill(size, '{"testsuites":['),
  },
  'jest-json': {
    'passed tests': (size) =>
      jest(counted(size, (n) => `{"ancestorTitles":["group ${n % 50}"],"title":"test ${n}","status":"passed"},`)),
    'equal titles': (size) => jest(fill(size, '{"title":"x","status":"passed","location":{"column":3,"line":2}},')),
    'one title': (size) => jest(`{"status":"passed","title":"${fill(size, ' > ')}"},`),
    'open brackets': (size) => fill(size, '['),
  },
  'junit-bun': {
    'passed cases': (size) =>
      document(counted(size, (n) => `<testcase name="test ${n}" classname="group" file="src/a.test.ts" time="0.1"/>`)),
  },
  'junit-ctest': {
    'passed tests': (size) =>
      `<testsuite>${counted(size, (n) => `<testcase name="t${n}" classname="t${n}" status="run"/>`)}</testsuite>`,
  },
  'junit-gradle': {
    'passed cases': (size) =>
      document(counted(size, (n) => `<testcase classname="shop.PriceTest" name="[${n}] 1, 2"/>`)),
    'long paths': (size) => document(fill(size, `<testcase classname="${'a.'.repeat(900)}" name="x()"/>`)),
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
  'junit-meson': {
    'passed tests': (size) =>
      document(counted(size, (n) => `<testcase name="p / t${n}" classname="p"/>`)).replace(
        '<testsuite>',
        '<testsuite name="p">',
      ),
    separators: (size) => `<testsuite name="${fill(size, ' / ')}"><testcase name="x" classname="y"/></testsuite>`,
  },
  'junit-nextest': {
    'passed cases': (size) =>
      document(counted(size, (n) => `<testcase classname="crate::it" name="module::test_${n}" time="0.1"/>`)),
    'long binary ids': (size) => document(fill(size, `<testcase classname="${'a::'.repeat(900)}" name="x"/>`)),
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
  'libtest-json': {
    'passed tests': (size) =>
      libtest(counted(size, (n) => `${libtestEvent('started', `m::t${n}`)}${libtestEvent('ok', `m::t${n}`)}`)),
    'targets without an end': (size) => libtest(fill(size, '{"type": "target", "name": "a/lib"}\n')),
    'a name of dashes': (size) => libtest(libtestEvent('started', fill(size, ' - (line '))),
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
  tap: {
    'passed tests': (size) =>
      `# Subtest: a.js\n${counted(size, (n) => `    # Subtest: adds ${n}\n    ok ${n} - adds ${n} # time=0.5ms\n`)}`,
    'other lines': (size) => `# Subtest: a.js\n${counted(size, (n) => `    # a comment of a test, number ${n}\n`)}`,
    'points without end': (size) => `# Subtest: a.js\n${fill(size, '    ok\n')}`,
    'one title': (size) => `# Subtest: a.js\n    ok 1 - ${fill(size, ' # ')}\n`,
    'blank lines': (size) => fill(size, '\n'),
    'a long title above many tests': (size) =>
      `# Subtest: a.js\n    # Subtest: ${'x'.repeat(10_000)}\n${fill(size, '        ok 1 - one\n')}`,
  },
  'text-pytest': {
    'passed tests': (size) => counted(size, (n) => `tests/test_a.py::test_${n} PASSED [ 50%]\n`),
    'an id and blanks': (size) => `t/a.py::t${fill(size, ' ')}x`,
    'brackets and statuses': (size) => `t/a.py::t${fill(size, '[PASSED ')}`,
    'dashes in a reason': (size) => `=== short test summary info ===\nFAILED t/a.py::t[${fill(size, ' - ')}`,
    colons: (size) => `${fill(size, 'a::')} PASSED`,
    'escape sequences': (size) => fill(size, '\x1b[0'),
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
}

const document = (cases) => `<?xml version="1.0"?><testsuites><testsuite>${cases}</testsuite></testsuites>`
const jest = (results) => `{"testResults":[{"name":"/app/a.test.js","assertionResults":[${results}0]}]}`
const fill = (size, unit) => unit.repeat(Math.ceil(size / unit.length))

function counted(size, unit) {
  const units = []
  for (let length = 0, n = 0; length < size; n++) {
    units.push(unit(n))
    length += units[n].length
  }
  return units.join('')
}

const result = (name) => `<UnitTestResult testId="0" testName="${name}" outcome="Passed" />`

const trx = (results, definitions = '<UnitTest id="0"><TestMethod className="Ns.Class" name="Adds" /></UnitTest>') =>
  `<?xml version="1.0"?><TestRun><Results>${results}</Results><TestDefinitions>${definitions}</TestDefinitions></TestRun>`

const libtest = (events) => `{"type": "target", "name": "a/doc"}\n${events}{"type": "done"}\n`

const libtestEvent = (event, name) => `{"type": "test", "event": "${event}", "name": "${name}"}\n`
