import { encodeUtf8, type ReportFormat } from '@r2e/spec'
import { expect, it } from 'vitest'
import { parseReport } from './parse-report.ts'

const size = 2_000_000
const fill = (unit: string) => unit.repeat(Math.ceil(size / unit.length))
const xml = '<testsuites><testsuite>'
const summary = '=== short test summary info ===\n'

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
