import { imageVersion } from './image-version.ts'
import type { CiJob, CiStep, ToolVersion } from './job.ts'

/** Features of a development container that set up a language, by the last part of their name. */
const features: Readonly<Record<string, string>> = {
  dotnet: 'csharp',
  go: 'go',
  java: 'java',
  node: 'javascript',
  php: 'php',
  python: 'python',
  ruby: 'ruby',
  rust: 'rust',
}

type Json = Readonly<Record<string, unknown>>

/** A `devcontainer.json` as a job: its image, features, and the commands that prepare it. */
export function readDevcontainer(file: string, text: string): CiJob | undefined {
  const config = parseJsonWithComments(text)
  if (config === undefined) return undefined
  const image = typeof config.image === 'string' ? config.image : undefined
  const named = Object.entries(record(config.features)).map(([key, options]) => ({
    name: featureName(key),
    options: record(options),
  }))
  const versions = [image === undefined ? undefined : imageVersion(image), ...named.map(featureVersion)]
  return {
    file,
    name: '',
    isRegular: false,
    image,
    versions: versions
      .filter((version) => version !== undefined)
      .map((version): ToolVersion => ({ ...version, tested: [version.version] })),
    services: [],
    packages: named.flatMap(({ name, options }) =>
      name === 'apt-packages' || name === 'apt-get-packages'
        ? String(options.packages ?? '')
            .split(/[\s,]+/)
            .filter((word) => word !== '')
        : [],
    ),
    steps: ['onCreateCommand', 'updateContentCommand', 'postCreateCommand'].flatMap((key) =>
      scriptsOf(config[key]).map(stepOf),
    ),
  }
}

function stepOf(script: string): CiStep {
  return { script, env: {}, ownEnv: [], folder: '' }
}

function featureName(key: string): string {
  const path = key.replace(/[:@][^/]*$/, '')
  return path.slice(path.lastIndexOf('/') + 1)
}

function featureVersion({ name, options }: { name: string; options: Json }): Omit<ToolVersion, 'tested'> | undefined {
  const language = Object.hasOwn(features, name) ? features[name]! : undefined
  return language !== undefined && typeof options.version === 'string'
    ? { language, version: options.version }
    : undefined
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
