import { posix } from 'node:path'
import { parseDockerfile, parseExecForm, splitFlags } from './dockerfile.ts'
import { expand, parseAssignments, splitWords } from './dockerfile-words.ts'

/** How a command starts at some point of a Dockerfile. */
export interface Setting {
  readonly env: Readonly<Record<string, string>>
  readonly workdir: string
  readonly user?: string | undefined
}

/** A step that makes a layer. `text` is the instruction as written. */
export type Step = { readonly text: string; readonly setting: Setting } & (
  | { readonly kind: 'run'; readonly argv: readonly string[]; readonly network: boolean }
  | { readonly kind: 'copy'; readonly sources: readonly string[]; readonly target: string }
  | { readonly kind: 'folder'; readonly path: string }
)

export type BuildPlan =
  | { readonly ok: true; readonly steps: readonly Step[]; readonly end: Setting }
  | { readonly ok: false; readonly step: string; readonly reason: string }

/** Instructions that change nothing about running a command. */
const IGNORED = new Set(['LABEL', 'STOPSIGNAL', 'ENTRYPOINT', 'CMD', 'EXPOSE', 'MAINTAINER', 'HEALTHCHECK'])

/** Reads a plain Dockerfile of one stage. `rootEnv` stands for the environment of the base image. */
export function planBuild(dockerfile: string, rootEnv: Readonly<Record<string, string>>): BuildPlan {
  const steps: Step[] = []
  let setting: Setting = { env: {}, workdir: '/' }
  const instructions = parseDockerfile(dockerfile)
  if (instructions[0]?.keyword !== 'FROM')
    return { ok: false, step: instructions[0]?.text ?? '', reason: 'the Dockerfile does not start with FROM' }
  for (const [index, { text, keyword, rest }] of instructions.entries()) {
    const known = { ...rootEnv, ...setting.env }
    const bad = (reason: string): BuildPlan => ({ ok: false, step: text, reason })
    if (keyword === 'FROM') {
      if (index > 0) return bad('the local sandbox builds Dockerfiles of one stage only')
    } else if (keyword === 'ENV') {
      const assigned = parseAssignments(rest, known)
      if (!assigned) return bad('ENV needs NAME=VALUE')
      setting = { ...setting, env: { ...setting.env, ...assigned } }
    } else if (keyword === 'WORKDIR') {
      setting = { ...setting, workdir: posix.resolve(setting.workdir, expand(rest, known)) }
      steps.push({ text, setting, kind: 'folder', path: setting.workdir })
    } else if (keyword === 'USER') setting = { ...setting, user: expand(rest, known) }
    else if (keyword === 'RUN' || keyword === 'COPY') {
      const step = keyword === 'RUN' ? planRun(rest) : planCopy(rest, setting.workdir, known)
      if (typeof step === 'string') return bad(step)
      steps.push({ text, setting, ...step })
    } else if (!IGNORED.has(keyword)) return bad(`the local sandbox does not know the instruction ${keyword}`)
  }
  return { ok: true, steps, end: setting }
}

type Run = { kind: 'run'; argv: readonly string[]; network: boolean }
type Copy = { kind: 'copy'; sources: readonly string[]; target: string }

function planRun(text: string): Run | string {
  const { flags, rest } = splitFlags(text)
  const unknown = flags.find((flag) => !/^--(network=(none|default|host)|mount=type=cache)/.test(flag))
  if (unknown) return `the local sandbox does not know the flag ${unknown}`
  if (!rest || /<<-?\s*["']?\w+["']?\s*$/.test(rest)) return 'RUN needs a command; here-documents are not supported'
  const argv = parseExecForm(rest) ?? ['/bin/sh', '-c', rest]
  return { kind: 'run', argv, network: !flags.includes('--network=none') }
}

function planCopy(text: string, workdir: string, known: Readonly<Record<string, string>>): Copy | string {
  const { flags, rest } = splitFlags(text)
  if (flags.length > 0) return `the local sandbox does not know the flag ${flags[0]}`
  const words = parseExecForm(rest) ?? splitWords(rest, known)
  const target = words.pop()
  if (target === undefined || words.length === 0) return 'COPY needs a source and a target'
  const whole = posix.resolve(workdir, target)
  const intoFolder = target.endsWith('/') || target.endsWith('.') || words.length > 1
  return { kind: 'copy', sources: words, target: intoFolder && whole !== '/' ? `${whole}/` : whole }
}
