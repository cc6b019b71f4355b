import { execFileSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { ParsedReport, ReportFormat } from '@r2e/spec'
import { describe, expect, it } from 'vitest'
import { parseReport } from './parse-report.ts'

const corpus = new URL('../../fixtures/', import.meta.url)
const grader = fileURLToPath(new URL('../../../grader/files/grade.py', import.meta.url))
const formats = ['junit-xml', 'go-json', 'events-jsonl', 'text-pytest'] as const

/** What each case is about; the titles carry the rows they cover. */
const about: Readonly<Record<string, string>> = JSON.parse(readFileSync(new URL('cases.json', corpus), 'utf8'))

for (const format of formats)
  describe(format, () => {
    const cases = readdirSync(new URL(`${format}/`, corpus)).sort()
    const python = parseAllByPython(format, cases)
    for (const name of cases)
      it(about[`${format}/${name}`] ?? `${name} has a line in cases.json`, () => {
        const path = reportPath(format, name)
        const found = parseReport(format, readFileSync(path))
        expect(Object.hasOwn(about, `${format}/${name}`)).toBe(true)
        expect(table(found)).toBe(readFileSync(new URL(`${format}/${name}/expected.tsv`, corpus), 'utf8'))
        expect(table(python[name]!)).toBe(table(found))
      })
  })

/** One line per fact, sorted: status and id, unloaded scope, count of malformed lines, or that nothing can be read. */
function table({ tests, unloaded, malformed, error }: ParsedReport): string {
  const lines = Object.entries(tests).map(([id, status]) => `${status}\t${id}`)
  lines.push(...unloaded.map((scope) => `UNLOADED\t${scope}`), `MALFORMED\t${malformed}`)
  if (error !== undefined) lines.push('UNREADABLE\t')
  return `${lines.sort().join('\n')}\n`
}

function reportPath(format: ReportFormat, name: string): string {
  const folder = fileURLToPath(new URL(`${format}/${name}/`, corpus))
  const report = ['report.xml', 'report.jsonl', 'report.txt'].find((file) => existsSync(folder + file))
  return folder + report
}

/** One process for all files of a format: what `grade.py parse` does, file after file. */
function parseAllByPython(format: ReportFormat, names: readonly string[]): Record<string, ParsedReport> {
  const program = `import importlib.util, json, sys
from pathlib import Path
spec = importlib.util.spec_from_file_location("grade", sys.argv[1]); grade = importlib.util.module_from_spec(spec)
sys.dont_write_bytecode = True
spec.loader.exec_module(grade)
print(json.dumps([grade.parse_report(sys.argv[2], Path(p).read_bytes()).as_json() for p in json.load(sys.stdin)]))`
  const input = JSON.stringify(names.map((name) => reportPath(format, name)))
  const output = execFileSync('python3', ['-I', '-c', program, grader, format], { input }).toString()
  const reports = JSON.parse(output) as ParsedReport[]
  return Object.fromEntries(names.map((name, at) => [name, reports[at]!]))
}
