import { execFileSync } from 'node:child_process'
import { existsSync, globSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { type ParsedReport, REPORT_FORMATS, type ReportFormat } from '@r2e/spec'
import { describe, expect, it } from 'vitest'
import { parseReport } from './parse-report.ts'

const corpus = new URL('../../fixtures/', import.meta.url)
const grader = fileURLToPath(new URL('../../../grader/files/', import.meta.url))

for (const format of REPORT_FORMATS)
  describe(format, () => {
    /** What each case is about; the titles carry the rows they cover. */
    const about: Readonly<Record<string, string>> = JSON.parse(
      readFileSync(new URL(`${format}/cases.json`, corpus), 'utf8'),
    )
    const cases = readdirSync(new URL(`${format}/`, corpus))
      .filter((name) => name !== 'cases.json')
      .sort()
    const python = parseAllByPython(format, cases)
    for (const name of cases)
      it(about[name] ?? `${name} has a line in cases.json`, () => {
        const { file, path } = reportOf(format, name)
        const found = parseReport(format, readFileSync(file), path)
        expect(Object.hasOwn(about, name)).toBe(true)
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

interface ReportFile {
  readonly file: string
  /** Below the work tree: where the report lies in the case's folder `tree`, if it has one. */
  readonly path: string
}

function reportOf(format: ReportFormat, name: string): ReportFile {
  const folder = fileURLToPath(new URL(`${format}/${name}/`, corpus))
  const inTree = existsSync(`${folder}tree`) ? globSync('**/*.*', { cwd: `${folder}tree` }) : []
  const path = inTree.find((name) => statSync(`${folder}tree/${name}`).isFile())
  if (path !== undefined) return { file: `${folder}tree/${path}`, path }
  const report = readdirSync(folder).find((file) => file.startsWith('report.'))
  return { file: folder + report, path: '' }
}

/** One process for all files of a format: what `grade.py parse` does, file after file. */
function parseAllByPython(format: ReportFormat, names: readonly string[]): Record<string, ParsedReport> {
  const program = `import json, sys
from pathlib import Path
sys.dont_write_bytecode = True
sys.path.insert(0, sys.argv[1])
from report import parse_report
print(json.dumps([parse_report(sys.argv[2], Path(r["file"]).read_bytes(), r["path"]).as_json() for r in json.load(sys.stdin)]))`
  const input = JSON.stringify(names.map((name) => reportOf(format, name)))
  const output = execFileSync('python3', ['-I', '-c', program, grader, format], { input }).toString()
  const reports = JSON.parse(output) as ParsedReport[]
  return Object.fromEntries(names.map((name, at) => [name, reports[at]!]))
}
