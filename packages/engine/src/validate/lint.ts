import { isIgnored, parseIgnoreRules } from '../render/ignore-rules.ts'
import { error, type Finding, warning } from './finding.ts'
import { unknownKeys } from './harbor-keys.ts'
import type { TaskFiles } from './task-files.ts'
import type { TaskToml } from './task-toml.ts'

/** What makes Harbor drop a task, abort a whole job, or run something else than was meant (harbor.md §10). */
export function lintTask(task: TaskFiles, toml: TaskToml): Finding[] {
  return [
    ...lintKeys(toml),
    ...lintEnvironment(task, toml),
    ...lintInstruction(task),
    ...lintScript(task, 'tests/test.sh'),
    ...lintScript(task, 'solution/solve.sh'),
    ...lintVerifier(task),
    ...lintPolicies(toml),
    ...lintFiles(task),
  ]
}

function lintKeys(toml: TaskToml): Finding[] {
  return unknownKeys(toml).map((key) => error('unknown_key', `task.toml: ${key} is no key that Harbor knows`))
}

function lintEnvironment(task: TaskFiles, toml: TaskToml): Finding[] {
  const folder = task.below('environment')
  const image = toml.environment?.docker_image
  if (folder.length === 0 && image === undefined) return lintTextOnly(task, toml)
  if (folder.length === 0) return []
  const dockerfile = task.text('environment/Dockerfile')
  if (dockerfile === undefined && image === undefined)
    return [error('dockerfile_missing', 'environment/ has no Dockerfile: Harbor aborts the whole job')]
  const compose = folder.find((file) => /^environment\/(docker-)?compose\.ya?ml$/.test(file.path))
  const misnamed = compose && compose.path !== 'environment/docker-compose.yaml'
  return [
    ...(misnamed ? [error('compose_name', `${compose.path}: only docker-compose.yaml is read`)] : []),
    ...(dockerfile === undefined ? [] : lintDockerfile(dockerfile)),
  ]
}

/** A task rewarded by similarity may come without an environment: trainers read it, Harbor leaves it out. */
function lintTextOnly(task: TaskFiles, { metadata }: TaskToml): Finding[] {
  const kinds = metadata?.repo2env?.reward_kinds
  const textOnly = kinds?.length === 1 && kinds[0] === 'diff_similarity' && task.below('tests').length === 0
  return textOnly ? [] : [error('environment_missing', 'neither environment/ nor docker_image: Harbor drops the task')]
}

function lintDockerfile(dockerfile: string): Finding[] {
  const findings: Finding[] = []
  if (!/^STOPSIGNAL SIGKILL$/m.test(dockerfile))
    findings.push(
      warning('stop_signal', 'environment/Dockerfile: without STOPSIGNAL SIGKILL each run waits ten seconds'),
    )
  if (/^ENTRYPOINT (?!\[\]$)/m.test(dockerfile))
    findings.push(warning('entrypoint', 'environment/Dockerfile: an ENTRYPOINT may end the container at once'))
  if (/^# *syntax=|--mount=|<<-?["']?\w/im.test(dockerfile))
    findings.push(
      error('builder_feature', 'environment/Dockerfile: here-documents, mounts and # syntax= need a newer builder'),
    )
  if (/^COPY .*\.\.\//m.test(dockerfile))
    findings.push(error('copy_outside', 'environment/Dockerfile: COPY from outside of environment/'))
  return findings
}

function lintInstruction(task: TaskFiles): Finding[] {
  const text = task.text('instruction.md')
  if (text === undefined)
    return [error('instruction_missing', 'instruction.md is missing or not UTF-8: Harbor aborts the whole job')]
  if (text.trim() === '') return [error('instruction_blank', 'instruction.md is blank')]
  const first = text.trimStart().split('\n')[0]!
  const cut = /^(#|<!--)/.test(first) && /canary/i.test(first)
  return cut ? [error('instruction_canary', 'instruction.md: its first line holds "canary" and would be cut')] : []
}

function lintScript(task: TaskFiles, path: string): Finding[] {
  const text = task.text(path)
  if (text === undefined) return []
  const findings: Finding[] = []
  if (text.includes('\r'))
    findings.push(error('script_carriage_return', `${path}: carriage returns make it unrunnable`))
  if (!text.startsWith('#!/bin/bash\n'))
    findings.push(error('script_shebang', `${path} does not begin with #!/bin/bash`))
  return findings
}

function lintVerifier(task: TaskFiles): Finding[] {
  const findings: Finding[] = []
  const runs = task.below('environment').length > 0
  if (runs && task.text('tests/test.sh') === undefined)
    findings.push(error('test_script_missing', 'tests/test.sh is missing: Harbor drops the task'))
  if (task.below('solution').length > 0 && task.text('solution/solve.sh') === undefined)
    findings.push(error('solve_script_missing', 'solution/solve.sh is missing: no oracle can run'))
  const script = task.text('tests/test.sh') ?? ''
  const sources = [script, ...task.below('tests').map((file) => task.text(file.path) ?? '')]
  if (script !== '' && !sources.some((source) => source.includes('reward.json') || source.includes('reward.txt')))
    findings.push(error('reward_never_written', 'nothing under tests/ writes a reward'))
  return findings
}

function lintPolicies(toml: TaskToml): Finding[] {
  const tables = [toml.environment, toml.verifier, toml.agent as Record<string, unknown> | undefined]
  const policy = tables.some(
    (table) => table && ((table.network_mode ?? 'public') !== 'public' || table.allow_internet === false),
  )
  const findings = policy
    ? [warning('network_policy', 'task.toml: a runtime that cannot enforce network_mode aborts the whole job')]
    : []
  const { gpus } = (toml.environment ?? {}) as { gpus?: unknown }
  return gpus
    ? [...findings, warning('gpus', 'task.toml: a machine without such a device fails every trial')]
    : findings
}

function lintFiles(task: TaskFiles): Finding[] {
  const findings: Finding[] = []
  for (const file of task.files) {
    if (file.mode === '120000' && leaves(file.path, new TextDecoder().decode(file.content)))
      findings.push(error('link_leaves_task', `${file.path} is a link out of the task`))
    if (/^(tests|solution)\/(.*\/)?\.harborignore$/.test(file.path)) findings.push(...hiddenBy(task, file.path))
  }
  if (task.get('trajectory.json')) findings.push(warning('trajectory', 'trajectory.json is part of the task'))
  if (task.get('.gitignore'))
    findings.push(warning('gitignore', '.gitignore changes what the digest of the task covers'))
  return findings
}

function hiddenBy(task: TaskFiles, path: string): Finding[] {
  const rules = [parseIgnoreRules(path.slice(0, -'.harborignore'.length), task.text(path) ?? '')]
  return task.files
    .filter((file) => isIgnored(file.path, rules))
    .map((file) => error('file_ignored', `${path} keeps ${file.path} from being uploaded`))
}

function leaves(path: string, target: string): boolean {
  if (target.startsWith('/')) return true
  let depth = path.split('/').length - 1
  for (const part of target.split('/')) {
    if (part === '..') depth--
    else if (part !== '' && part !== '.') depth++
    if (depth < 0) return true
  }
  return false
}
