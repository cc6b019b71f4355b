import { execFileSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'

const program = fileURLToPath(new URL('__fixtures__/gtest-program.py', import.meta.url))
const reporters = fileURLToPath(new URL('../files/reporters/', import.meta.url))

const driver = `import json, sys
sys.dont_write_bytecode = True
sys.path.insert(0, sys.argv[1])
from native_programs import Gtest, Program
class Events:
    def __init__(self):
        self.tests, self.unloaded = {}, []
    def end(self, name, status):
        self.tests[name] = status
    def unload(self, scope):
        self.unloaded.append(scope)
    def add(self, report):
        self.tests.update(report.tests)
        self.unloaded.extend(report.unloaded)
events = Events()
Program(sys.argv[2], "t", Gtest, sys.argv[3:]).run(events)
print(json.dumps([events.tests, events.unloaded]))`

/** What is told of the cases of a program; each ends as its code says. */
function told(cases: Readonly<Record<string, number>>): unknown {
  const words = Object.entries(cases).map(([name, code]) => `${name}=${code}`)
  return JSON.parse(execFileSync('python3', ['-I', '-c', driver, reporters, program, ...words]).toString())
}

for (const [title, cases, tests] of [
  ['is believed where all is well', { a: 0, b: 0 }, { a: 'PASSED', b: 'PASSED' }],
  ['is believed where a case explains the exit code', { a: 0, b: 1 }, { a: 'PASSED', b: 'FAILED' }],
  ['is asked case by case where it exits as no case explains', { a: 0, b: 3 }, { a: 'PASSED', b: 'ERROR' }],
  ['is asked case by case where it dies after it', { a: 0, b: -6, c: 1 }, { a: 'PASSED', b: 'ERROR', c: 'FAILED' }],
] as const)
  it(`the report of a test program ${title} [X10]`, () => {
    const expected = Object.entries(tests).map(([name, status]) => [`t::Case.${name}`, status])
    expect(told(cases)).toEqual([Object.fromEntries(expected), []])
  })
