import { type Budget, spend } from './budget.ts'
import type { CiJob, CiStep } from './job.ts'
import { joinFolder, unresolved } from './unresolved.ts'

const mostInstructions = 500
const longestValue = 1000
const mostVariables = 200

interface Stage {
  readonly name: string
  /** The stage that it is built on. */
  readonly base: Stage | undefined
  readonly steps: CiStep[]
  folder: string
}

/** What a stage is for, by its name: not what a release is packed with. */
const forTests = /(?:^|[^a-z])(?:tests?|testing|dev|devel|development|ci)(?:[^a-z]|$)/

/**
 * A Dockerfile as a job: the RUN instructions of its last stage and of those that are named after tests and development,
 * with what they are built on. An image that others compile in says nothing of what the tests need.
 */
export function readDockerfile(file: string, text: string, budget: Budget): CiJob | undefined {
  const variables = new Map<string, string>()
  const stages: Stage[] = []
  let env: Readonly<Record<string, string>> | undefined
  for (const { name, value } of instructions(text)) {
    const stage = stages.at(-1)
    if (name === 'ARG' || name === 'ENV') {
      for (const [key, set] of assignments(name, value))
        if (variables.size < mostVariables) variables.set(key, substitute(set, variables))
      env = undefined
    } else if (name === 'FROM') {
      stages.push(stageOf(value, variables, stages))
    } else if (name === 'WORKDIR' && stage !== undefined) {
      // Where the tree is copied to is not known, and so is the place of every command.
      stage.folder = joinFolder(stage.folder, substitute(value, variables))
    } else if (name === 'RUN' && stage !== undefined) {
      env ??= Object.fromEntries(variables)
      spend(budget, { bytes: value.length })
      stage.steps.push({ script: shellScript(value), isLiteral: true, env, ownEnv: {}, folder: stage.folder })
    }
  }
  const last = stages.at(-1)
  if (last === undefined) return undefined
  const wanted = withBases(stages.filter((stage) => stage === last || forTests.test(stage.name)))
  return {
    file,
    name: '',
    isRegular: false,
    rowFor: { except: [] },
    versions: [],
    services: [],
    packages: [],
    steps: stages.filter((stage) => wanted.has(stage)).flatMap(({ steps }) => steps),
  }
}

function stageOf(value: string, variables: ReadonlyMap<string, string>, stages: readonly Stage[]): Stage {
  const [image = '', as, alias = ''] = value.split(/\s+/).filter((word) => !word.startsWith('--'))
  const from = substitute(image, variables).toLowerCase()
  const base = stages.findLast((stage) => stage.name !== '' && stage.name === from)
  return { name: as?.toLowerCase() === 'as' ? alias.toLowerCase() : '', base, steps: [], folder: '' }
}

function withBases(stages: readonly Stage[]): ReadonlySet<Stage> {
  const wanted = new Set<Stage>()
  for (const stage of stages)
    for (let at: Stage | undefined = stage; at !== undefined && !wanted.has(at); at = at.base) wanted.add(at)
  return wanted
}

interface Instruction {
  readonly name: string
  readonly value: string
}

/** Instructions with their continued lines and here-documents; comments and blank lines in between are dropped. */
function instructions(text: string): Instruction[] {
  const lines = text.split(/\r?\n/)
  const found: Instruction[] = []
  for (let at = 0; at < lines.length && found.length < mostInstructions; at++) {
    const parts: string[] = []
    for (let goesOn = true; goesOn && at < lines.length; ) {
      const line = lines[at]!
      const isBlank = line.trim() === '' && parts.length > 0
      if (!isBlank && !/^\s*#/.test(line)) {
        goesOn = /\\\s*$/.test(line)
        parts.push(goesOn ? line.slice(0, line.lastIndexOf('\\')) : line)
      }
      if (goesOn) at++
    }
    const match = /^\s*([A-Za-z]+)\s+(\S[\s\S]*)$/.exec(parts.join(' '))
    if (match === null) continue
    const marker = /<<-?\s*["']?([A-Za-z_]\w*)["']?/.exec(match[2]!)?.[1]
    const body: string[] = []
    if (marker !== undefined && match[1]!.toUpperCase() === 'RUN') {
      while (++at < lines.length && lines[at]!.trim() !== marker) body.push(lines[at]!)
    }
    found.push({ name: match[1]!.toUpperCase(), value: body.length > 0 ? body.join('\n') : match[2]!.trimEnd() })
  }
  return found
}

/** The script of a RUN instruction, without its options; the form in JSON is quoted for a shell. */
function shellScript(value: string): string {
  const script = value.replace(/^(?:--[a-z]+(?:=\S*)?\s+)+/, '')
  if (!script.startsWith('[')) return script
  try {
    const words: unknown = JSON.parse(script)
    if (!Array.isArray(words) || words.some((word) => typeof word !== 'string')) return script
    return words.map((word: string) => `'${word.replaceAll("'", `'"'"'`)}'`).join(' ')
  } catch {
    return script
  }
}

/** `ARG NAME=value`, `ENV A=1 B="2"`, `ENV A 1`; an ARG without a value is not known. */
function assignments(name: string, value: string): [string, string][] {
  const pairs = [...value.matchAll(/(?<!\w)([A-Za-z_]\w*)=("[^"]*"|'[^']*'|\S*)/g)].map(
    ([, key, set]): [string, string] => [key!, set!.replace(/^(["'])(.*)\1$/s, '$2')],
  )
  if (pairs.length > 0 && /^[A-Za-z_]\w*=/.test(value)) return pairs
  const [key = '', ...rest] = value.split(/\s+/)
  return /^[A-Za-z_]\w*$/.test(key) ? [[key, name === 'ENV' ? rest.join(' ') : unresolved]] : []
}

/** Values that are made of values grow by doubling. */
function substitute(text: string, variables: ReadonlyMap<string, string>): string {
  if (text.length > longestValue) return unresolved
  let made = ''
  let at = 0
  for (const { 0: whole, 1: braced, 2: otherwise, 3: plain, index } of text.matchAll(
    /\$\{(\w+)(?::-([^}$]*))?\}|\$(\w+)/g,
  )) {
    made += text.slice(at, index) + (variables.get(braced ?? plain ?? '') ?? otherwise ?? unresolved)
    at = index + whole.length
    if (made.length > longestValue) return unresolved
  }
  return made + text.slice(at)
}
