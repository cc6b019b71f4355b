import { graderFilesFor } from '@r2e/grader'
import { type FileEntry, REPORT_FORMATS, sha256Hex } from '@r2e/spec'
import * as v from 'valibot'
import { CONTENTS } from '../render/tests-folder.ts'
import { error, type Finding, warning } from './finding.ts'
import { ContentsSchema, DiffPlanSchema, IdListSchema, RestorePlanSchema, RunPlanSchema } from './grader-plans.ts'
import type { TaskFiles } from './task-files.ts'
import type { Repo2env, TaskToml } from './task-toml.ts'

export interface GraderContext {
  readonly task: TaskFiles
  readonly toml: TaskToml
  readonly repo2env: Repo2env
  /** The grader of this version. */
  readonly grader: readonly FileEntry[]
}

/** What our own grader needs below tests/, and that its files agree with each other and with task.toml. */
export function checkGrader(context: GraderContext): Finding[] {
  if (context.task.below('environment').length === 0) return []
  const kinds = context.repo2env.reward_kinds ?? []
  const tests = kinds.includes('test_execution') || context.task.get('tests/run.json') !== undefined
  return [
    ...checkCode(context),
    ...checkContents(context.task),
    ...(tests ? checkTestPlans(context) : checkDiffPlan(context)),
  ]
}

/** A verifier that is not ours could score anything. */
function checkCode({ task, grader }: GraderContext): Finding[] {
  const needs = v.safeParse(NeedsSchema, jsonOf(task.text('tests/run.json')))
  const inline = v.safeParse(InlineSchema, jsonOf(task.text('tests/restore.json')))
  const more = { reporters: [], inline: inline.success ? inline.output.inline.language : undefined }
  const wanted = new Set(
    graderFilesFor(grader, needs.success ? { ...needs.output, ...more } : undefined).map(({ path }) => path),
  )
  const missing = [...wanted].filter((path) => !task.get(`tests/${path}`))
  const changed = grader.filter(({ path, content }) => {
    const shipped = task.get(`tests/${path}`)
    return shipped && sha256Hex(shipped.content) !== sha256Hex(content)
  })
  return [
    ...missing.map((path) => error('grader_missing', `tests/${path} is missing`)),
    ...changed.map(({ path }) => error('grader_changed', `tests/${path} is not the grader of this version`)),
  ]
}

/** What contents.json does not name is removed before grading; what it names and is not there was lost. */
function checkContents(task: TaskFiles): Finding[] {
  const { plan, findings } = readPlan(task, `tests/${CONTENTS}`, ContentsSchema)
  if (!plan) return [...findings]
  const named = new Set(plan.files.map((path) => `tests/${path}`))
  const found = new Set(task.below('tests').map(({ path }) => path))
  return [
    ...[...named].filter((path) => !found.has(path)).map((path) => error('contents_wrong', `${path} is missing`)),
    ...[...found]
      .filter((path) => !named.has(path))
      .map((path) => error('contents_wrong', `${path} is not named in it`)),
  ].map((finding) => ({ ...finding, message: `tests/${CONTENTS}: ${finding.message}` }))
}

const NeedsSchema = v.looseObject({ format: v.picklist(REPORT_FORMATS) })
const InlineSchema = v.looseObject({ inline: v.looseObject({ language: v.string() }) })

function jsonOf(text: string | undefined): unknown {
  try {
    return JSON.parse(text ?? 'null')
  } catch {
    return undefined
  }
}

function checkTestPlans(context: GraderContext): Finding[] {
  const { task, toml } = context
  const run = readPlan(task, 'tests/run.json', RunPlanSchema)
  const restore = readPlan(task, 'tests/restore.json', RestorePlanSchema)
  const findings = [...run.findings, ...restore.findings, ...checkLists(context)]
  const outer = toml.verifier?.timeout_sec ?? 600
  if (run.plan && run.plan.timeout_sec >= outer)
    findings.push(error('verifier_timeout', `tests may run ${run.plan.timeout_sec} s, the verifier only ${outer} s`))
  if (!restore.plan) return findings
  return [...findings, ...checkCopies(task, [...restore.plan.files, ...(restore.plan.inline?.files ?? [])])]
}

function checkLists({ task, repo2env }: GraderContext): Finding[] {
  const failToPass = readPlan(task, 'tests/f2p.json', IdListSchema)
  const passToPass = readPlan(task, 'tests/p2p.json', IdListSchema)
  const findings = [...failToPass.findings, ...passToPass.findings]
  const [f2p, p2p] = [failToPass.plan, passToPass.plan]
  if (!f2p || !p2p) return findings
  const { f2p_count, p2p_count } = repo2env.reward_calibration ?? {}
  if (f2p_count !== f2p.length) findings.push(error('f2p_count', countMessage('f2p', f2p.length, f2p_count)))
  if (p2p_count !== p2p.length) findings.push(error('p2p_count', countMessage('p2p', p2p.length, p2p_count)))
  if (f2p.length === 0)
    findings.push(warning('f2p_empty', 'tests/f2p.json is empty: no test fails without the solution'))
  if (p2p.length === 0) findings.push(warning('p2p_empty', 'tests/p2p.json is empty: no regression is noticed'))
  const both = f2p.find((id) => p2p.includes(id))
  if (both !== undefined)
    findings.push(error('lists_overlap', `${JSON.stringify(both)} is in f2p.json and in p2p.json`))
  return findings
}

function countMessage(list: string, real: number, stated: number | undefined): string {
  return `tests/${list}.json holds ${real} ids, reward_calibration says ${stated ?? 'nothing'}`
}

function checkCopies(task: TaskFiles, rows: readonly { path: string; from: string; sha256: string }[]): Finding[] {
  const known = new Set(rows.map((row) => `tests/files/${row.from}`))
  const damaged = rows.flatMap((row) => {
    const copy = task.get(`tests/files/${row.from}`)
    if (copy && copy.mode !== '120000' && sha256Hex(copy.content) === row.sha256) return []
    return [
      error('copy_damaged', `the grader's copy of ${JSON.stringify(row.path)} is ${copy ? 'changed' : 'missing'}`),
    ]
  })
  const stray = task.below('tests/files').filter((file) => !known.has(file.path))
  return [...damaged, ...stray.map((file) => warning('copy_unused', `${file.path} is in no plan`))]
}

function checkDiffPlan({ task }: GraderContext): Finding[] {
  const findings = [...readPlan(task, 'tests/diff.json', DiffPlanSchema).findings]
  if (!task.get('tests/oracle.diff')) findings.push(error('oracle_missing', 'tests/oracle.diff is missing'))
  return findings
}

export interface ReadPlan<T> {
  readonly plan: T | undefined
  readonly findings: readonly Finding[]
}

export function readPlan<T>(task: TaskFiles, path: string, schema: v.GenericSchema<unknown, T>): ReadPlan<T> {
  const text = task.text(path)
  if (text === undefined)
    return { plan: undefined, findings: [error('plan_missing', `${path} is missing or not UTF-8`)] }
  try {
    const result = v.safeParse(schema, JSON.parse(text))
    if (result.success) return { plan: result.output, findings: [] }
    const [issue] = result.issues
    const where = v.getDotPath(issue)
    return {
      plan: undefined,
      findings: [error('plan_invalid', `${path}: ${where ? `${where}: ` : ''}${issue.message}`)],
    }
  } catch {
    return { plan: undefined, findings: [error('plan_invalid', `${path} is not JSON`)] }
  }
}
