import { imageVersion } from './image-version.ts'
import type { CiJob, CiStep } from './job.ts'
import { joinFolder } from './join-folder.ts'
import { unresolved } from './unresolved.ts'

const mostInstructions = 500
const longestValue = 1000

interface Stage {
  readonly image: string
  readonly steps: CiStep[]
  folder: string
}

/** A Dockerfile as a job: the image of its last stage, the RUN instructions of all. */
export function readDockerfile(file: string, text: string): CiJob | undefined {
  const variables = new Map<string, string>()
  const stages = new Map<string, Stage>()
  const steps: CiStep[] = []
  let stage: Stage | undefined
  for (const { name, value } of instructions(text)) {
    if (name === 'ARG' || name === 'ENV')
      for (const [key, set] of assignments(name, value)) variables.set(key, bounded(substitute(set, variables)))
    if (name === 'FROM') {
      const [image = '', as, alias] = value.split(/\s+/).filter((word) => !word.startsWith('--'))
      const named = substitute(image, variables)
      stage = { image: stages.get(named.toLowerCase())?.image ?? named, steps, folder: '' }
      if (as?.toLowerCase() === 'as' && alias !== undefined) stages.set(alias.toLowerCase(), stage)
    }
    // Where the tree is copied to is not known, and so is the place of every command.
    if (name === 'WORKDIR' && stage !== undefined) stage.folder = joinFolder(stage.folder, substitute(value, variables))
    if (name === 'RUN' && stage !== undefined)
      steps.push({ script: shellScript(value), env: Object.fromEntries(variables), ownEnv: [], folder: stage.folder })
  }
  if (stage === undefined) return undefined
  const version = imageVersion(stage.image)
  return {
    file,
    name: '',
    isRegular: false,
    image: stage.image,
    versions: version === undefined ? [] : [{ ...version, tested: [version.version] }],
    services: [],
    packages: [],
    steps,
  }
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
function bounded(value: string): string {
  return value.length > longestValue ? unresolved : value
}

function substitute(text: string, variables: ReadonlyMap<string, string>): string {
  return text.replace(
    /\$\{(\w+)(?::-([^}$]*))?\}|\$(\w+)/g,
    (_, braced: string | undefined, otherwise: string | undefined, plain: string | undefined) => {
      return variables.get(braced ?? plain ?? '') ?? otherwise ?? unresolved
    },
  )
}
