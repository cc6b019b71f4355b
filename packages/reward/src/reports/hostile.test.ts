import { encodeUtf8, type ReportFormat } from '@r2e/spec'
import { expect, it } from 'vitest'
import { parseReport } from './parse-report.ts'

const size = 2_000_000
const fill = (unit: string) => unit.repeat(Math.ceil(size / unit.length))
const xml = '<testsuites><testsuite>'
const summary = '=== short test summary info ===\n'

const target = '{"type":"target","name":"a/doc"}\n'

const families: [ReportFormat, string, string][] = [
  ['junit-pytest', 'open brackets', fill('<')],
  ['junit-pytest', 'text that begins like a document', fill('<testsuit ')],
  ['junit-pytest', 'deep nesting', xml + fill('<a>')],
  [
    'junit-pytest',
    'one attribute',
    `${xml}<testcase classname="a" file="a.py" name="${fill('x ')}"/></testsuite></testsuites>`,
  ],
  ['junit-pytest', 'long class names', xml + fill(`<testcase classname="${'a.'.repeat(900)}" name="x" file="b.py"/>`)],
  ['junit-maven', 'invocations', `${xml}<testcase classname="a" name="m()${fill('[1]')}"/></testsuite></testsuites>`],
  ['junit-maven', 'parentheses', `${xml}<testcase classname="a" name="${fill('(a)')}"/></testsuite></testsuites>`],
  ['junit-maven', 'brackets', `${xml}<testcase classname="a" name="${fill('[')}]"/></testsuite></testsuites>`],
  ['junit-gradle', 'equal names', `${xml}${fill('<testcase classname="a.B" name="[1] a"/>')}</testsuite></testsuites>`],
  [
    'trx',
    'equal results',
    `<TestRun>${fill('<UnitTestResult testId="1" testName="A.B(c)" outcome="Passed"/>')}</TestRun>`,
  ],
  ['trx', 'text that begins like a document', fill('<TestRun ')],
  ['go-json', 'one line', `{"Action":"${fill('x')}`],
  ['go-json', 'open braces', fill('{"a":')],
  ['go-json', 'blank lines', fill('\n')],
  ['events-jsonl', 'one event', fill('{"event":"end","id":"m.C.t","status":"PASSED"}\n')],
  ['jest-json', 'open brackets', fill('[')],
  [
    'jest-json',
    'equal titles',
    `{"testResults":[{"name":"a","assertionResults":[${fill('{"title":"x","status":"passed"},')}0]}]}`,
  ],
  [
    'jest-json',
    'one title',
    `{"testResults":[{"name":"a","assertionResults":[{"status":"passed","title":"${fill(' > ')}"}]}]}`,
  ],
  ['junit-bun', 'deep suites', `<testsuites>${fill('<testsuite name="a">')}`],
  ['tap', 'points', fill('    ok\n')],
  ['tap', 'one title', `# Subtest: a\n    ok ${fill('# ')}\n`],
  ['tap', 'blanks in a title', `# Subtest: a\n    ok 1${fill(' ')}x\n`],
  ['tap', 'digits', `# Subtest: a\n    ok ${fill('1')}x # time=${fill('1')}\n`],
  ['tap', 'headings', `# Subtest: a\n${fill('    # a\n    ok\n')}`],
  ['tap', 'deep subtests', Array.from({ length: 2000 }, (_, at) => `${'    '.repeat(at)}# Subtest: a\n`).join('')],
  [
    'tap',
    'a long title above many tests',
    `# Subtest: a\n    # Subtest: ${'x'.repeat(10_000)}\n${fill('        ok\n')}`,
  ],
  ['gtest-json', 'open braces', fill('{"testsuites":[')],
  ['gtest-json', 'empty rows', `{"testsuites":[{"name":"a","testsuite":[${fill('{},')}{}]}]}`],
  ['catch-xml', 'text that begins like a document', fill('<Catch ')],
  [
    'catch-xml',
    'equal names',
    `<Catch>${fill('<TestCase name="a"><OverallResult success="true"/></TestCase>')}</Catch>`,
  ],
  ['junit-ctest', 'equal names', `<testsuite>${fill('<testcase name="a" status="run"/>')}</testsuite>`],
  ['junit-meson', 'separators', `<testsuite name="${fill(' / ')}"><testcase name="x" classname="y"/></testsuite>`],
  ['junit-meson', 'dots', `<testsuite name="${fill('a.')} / x"><testcase name="x" classname="y"/></testsuite>`],
  [
    'junit-phpunit',
    'nested suites',
    xml + fill('<testsuite name="A" file="/app/a.php"><testcase name="t" class="B"/>'),
  ],
  [
    'junit-phpunit',
    'types that begin like a risky one',
    `${xml}<testcase name="t" class="A" file="a.php">${fill('<error type="\\RiskyTest"/>')}</testcase></testsuite></testsuites>`,
  ],
  [
    'rspec-json',
    'addresses',
    `{"examples":[{"id":"./a[1]","status":"passed","full_description":"${fill(':0xabcdef0123456789')}"}]}`,
  ],
  [
    'rspec-json',
    'equal titles',
    `{"examples":[${fill('{"id":"./a[1]","status":"passed","full_description":"a"},')}{}]}`,
  ],
  [
    'rspec-json',
    'blanks before a message',
    `{"examples":[],"summary":{"errors_outside_of_examples_count":1},"messages":["${fill(' ')}"]}`,
  ],
  ['rspec-json', 'open brackets', fill('[')],
  ['rspec-json', 'open braces', fill('{"examples":[')],
  ['junit-nextest', 'long binary ids', xml + fill(`<testcase classname="${'a::'.repeat(900)}" name="x"/>`)],
  ['libtest-json', 'targets without an end', fill(target)],
  ['libtest-json', 'one test started', target + fill('{"type":"test","event":"started","name":"t"}\n')],
  ['libtest-json', 'a name of dashes', `${target}{"type":"test","event":"started","name":"${fill(' - (line ')}"}`],
  ['text-pytest', 'an id and blanks', `t/a.py::t${fill(' ')}x`],
  ['text-pytest', 'brackets and statuses', `t/a.py::t${fill('[PASSED ')}`],
  ['text-pytest', 'equal signs', fill('= ')],
  ['text-pytest', 'dashes in a reason', `${summary}FAILED t/a.py::t[${fill(' - ')}`],
  ['text-pytest', 'subtests', `${summary}SUBFAILED[${fill('] (')}`],
  ['text-pytest', 'escape sequences', fill('\x1b[0')],
  ['text-pytest', 'colons', `${fill('a::')} PASSED`],
]

for (const [format, name, text] of families)
  it(`${format} stays linear: ${name}`, () => {
    const start = process.cpuUsage()
    parseReport(format, encodeUtf8(text))
    expect(process.cpuUsage(start).user / 1000).toBeLessThan(1500)
  })
