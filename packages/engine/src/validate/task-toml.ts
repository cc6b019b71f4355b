import { contentHash } from '@r2e/spec'
import { parse, TomlError } from 'smol-toml'
import * as v from 'valibot'
import { error, type Finding, warning } from './finding.ts'
import type { TaskFiles } from './task-files.ts'

const NAME = /^(?!.*\.\.)[A-Za-z0-9][A-Za-z0-9._-]*\/[A-Za-z0-9][A-Za-z0-9._-]*$/
const text = v.optional(v.string())
const count = v.optional(v.pipe(v.number(), v.integer(), v.minValue(0)))

const Repo2envSchema = v.looseObject({
  pipeline: text,
  reward_kinds: v.optional(v.array(v.string())),
  content_hash: text,
  reward_calibration: v.optional(v.looseObject({ f2p_count: count, p2p_count: count })),
})
const TaskTomlSchema = v.looseObject({
  schema_version: text,
  version: text,
  task: v.optional(v.looseObject({ name: text })),
  metadata: v.optional(v.looseObject({ repo2env: v.optional(Repo2envSchema) })),
  verifier: v.optional(v.looseObject({ timeout_sec: v.optional(v.number()), environment_mode: text })),
  environment: v.optional(
    v.looseObject({ docker_image: text, cpus: v.optional(v.number()), memory_mb: v.optional(v.number()) }),
  ),
})

export type TaskToml = v.InferOutput<typeof TaskTomlSchema>
export type Repo2env = v.InferOutput<typeof Repo2envSchema>

export interface ReadToml {
  /** undefined where it cannot be read. */
  readonly toml: TaskToml | undefined
  readonly findings: readonly Finding[]
}

/** Contract §1.2: what every task must have, whoever made it. */
export function checkTaskToml(task: TaskFiles): ReadToml {
  const source = task.text('task.toml')
  if (source === undefined) return broken('task.toml is not UTF-8 text')
  if (source.startsWith('\uFEFF')) return broken('task.toml begins with a byte order mark')
  const parsed = parseToml(source)
  if ('problem' in parsed) return broken(parsed.problem)
  const result = v.safeParse(TaskTomlSchema, parsed.value)
  if (!result.success) return broken(describe(result.issues[0]))
  const toml = result.output
  return { toml, findings: [...checkIdentity(toml), ...checkContentHash(toml, task)] }
}

function parseToml(source: string): { value: unknown } | { problem: string } {
  try {
    return { value: parse(source) }
  } catch (cause) {
    if (!(cause instanceof TomlError)) throw cause
    return { problem: `task.toml:${cause.line}:${cause.column}: ${cause.message.split('\n')[0]}` }
  }
}

function checkIdentity({ schema_version, version, task, metadata }: TaskToml): Finding[] {
  const findings: Finding[] = []
  if (schema_version === undefined && version === undefined)
    findings.push(error('version_missing', 'task.toml has neither schema_version nor version'))
  if (task?.name === undefined) findings.push(error('name_missing', 'task.toml has no [task].name'))
  else if (!NAME.test(task.name))
    findings.push(error('name_invalid', `[task].name is ${JSON.stringify(task.name)}; it must be org/name`))
  if (!metadata?.repo2env) findings.push(warning('repo2env_missing', 'task.toml has no [metadata.repo2env] table'))
  return findings
}

function checkContentHash({ metadata }: TaskToml, task: TaskFiles): Finding[] {
  const stated = metadata?.repo2env?.content_hash
  if (stated === undefined) return []
  const instruction = task.text('instruction.md')
  const solution = task.get('solution/patch.diff')
  if (instruction === undefined || !solution)
    return [
      error('content_hash_unverifiable', 'content_hash covers instruction.md and solution/patch.diff; one is missing'),
    ]
  const real = contentHash(instruction, solution.content)
  if (real === stated) return []
  return [
    error('content_hash_mismatch', `instruction.md and solution/patch.diff hash to ${real}, task.toml says ${stated}`),
  ]
}

function describe(issue: v.BaseIssue<unknown>): string {
  return `task.toml: ${v.getDotPath(issue) ?? 'root'}: ${issue.message}`
}

function broken(message: string): ReadToml {
  return { toml: undefined, findings: [error('toml_invalid', message)] }
}
