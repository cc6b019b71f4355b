import type { CiJob, CiStep } from './job.ts'

type Json = Readonly<Record<string, unknown>>

/** A `devcontainer.json` as a job: the packages of its features, and the commands that prepare it. */
export function readDevcontainer(file: string, text: string): CiJob | undefined {
  const config = parseJsonWithComments(text)
  if (config === undefined) return undefined
  const features = Object.entries(record(config.features))
  return {
    file,
    name: '',
    isRegular: false,
    rowFor: { except: [] },
    versions: [],
    services: [],
    packages: features.flatMap(([key, options]) =>
      /^apt(?:-get)?-packages$/.test(featureName(key)) ? namesIn(record(options).packages) : [],
    ),
    steps: ['onCreateCommand', 'updateContentCommand', 'postCreateCommand'].flatMap((key) =>
      scriptsOf(config[key]).map(stepOf),
    ),
  }
}

function namesIn(packages: unknown): string[] {
  return typeof packages === 'string' ? packages.split(/[\s,]+/).filter((word) => word !== '') : []
}

function stepOf(script: string): CiStep {
  return { script, isLiteral: true, env: {}, ownEnv: {}, folder: '' }
}

function featureName(key: string): string {
  return key.slice(key.lastIndexOf('/') + 1).split(/[:@]/)[0] ?? ''
}

/** A line for a shell, the words of a command, or several of both by name. */
function scriptsOf(value: unknown): string[] {
  if (typeof value === 'string') return [value]
  if (Array.isArray(value))
    return [
      value
        .filter((word) => typeof word === 'string')
        .map((word) => `'${word.replaceAll("'", `'"'"'`)}'`)
        .join(' '),
    ]
  return Object.values(record(value)).flatMap((one) =>
    typeof one === 'string' || Array.isArray(one) ? scriptsOf(one) : [],
  )
}

function record(value: unknown): Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Json) : {}
}

function parseJsonWithComments(text: string): Json | undefined {
  const plain = text.replace(
    /("(?:[^"\\\n]|\\.)*"?)|\/\/[^\n]*|\/\*(?:[\s\S]*?\*\/|[\s\S]*$)/g,
    (_, quoted: string | undefined) => quoted ?? ' ',
  )
  const strict = plain.replace(/("(?:[^"\\\n]|\\.)*"?)|,(?=\s*[}\]])/g, (_, quoted: string | undefined) => quoted ?? '')
  try {
    return record(JSON.parse(strict))
  } catch {
    return undefined
  }
}
