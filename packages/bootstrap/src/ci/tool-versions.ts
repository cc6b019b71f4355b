import type { NamedVersion } from './choose-rows.ts'
import { unresolved } from './unresolved.ts'
import { newestVersion } from './version-order.ts'
import { textOf, type YamlMap } from './yaml.ts'

interface SetupAction {
  readonly language: string
  /** Name of the input with the version. */
  readonly input: string
  /** What follows the `@` is the version where the input is missing. */
  readonly byTag?: boolean
}

const setupActions: Readonly<Record<string, SetupAction>> = {
  'actions-rs/toolchain': { language: 'rust', input: 'toolchain' },
  'actions-rust-lang/setup-rust-toolchain': { language: 'rust', input: 'toolchain' },
  'actions/setup-dotnet': { language: 'csharp', input: 'dotnet-version' },
  'actions/setup-go': { language: 'go', input: 'go-version' },
  'actions/setup-java': { language: 'java', input: 'java-version' },
  'actions/setup-node': { language: 'javascript', input: 'node-version' },
  'actions/setup-python': { language: 'python', input: 'python-version' },
  'astral-sh/setup-uv': { language: 'python', input: 'python-version' },
  'conda-incubator/setup-miniconda': { language: 'python', input: 'python-version' },
  'dtolnay/rust-toolchain': { language: 'rust', input: 'toolchain', byTag: true },
  'graalvm/setup-graalvm': { language: 'java', input: 'java-version' },
  'ruby/setup-ruby': { language: 'ruby', input: 'ruby-version' },
  'shivammathur/setup-php': { language: 'php', input: 'php-version' },
}

/** Actions that install Debian packages, and the input with their names. */
const packageActions: Readonly<Record<string, string>> = {
  'awalsh128/cache-apt-pkgs-action': 'packages',
  'ConorMacBride/install-package': 'apt',
  'daaku/gh-action-apt-install': 'packages',
  'gerlero/apt-install': 'packages',
}

/**
 * The version that a step sets up; of several the newest release. It is open where the step does not say it: then a file of
 * versions does, or what the machine has.
 */
export function setUpVersion(uses: string, inputs: YamlMap): NamedVersion | undefined {
  const { name, tag } = actionOf(uses)
  const action = Object.hasOwn(setupActions, name) ? setupActions[name]! : undefined
  if (action === undefined) return undefined
  const written = textOf(inputs[action.input]) || (action.byTag ? tag : '')
  const version = newestVersion(written.split(/[\s,]+/).filter((part) => part !== ''))
  return { language: action.language, version: version ?? unresolved }
}

export function actionPackages(uses: string, inputs: YamlMap): string[] {
  const { name } = actionOf(uses)
  const input = Object.hasOwn(packageActions, name) ? packageActions[name]! : undefined
  const names = input === undefined ? undefined : textOf(inputs[input])
  return names?.split(/[\s,]+/).filter((part) => part !== '') ?? []
}

function actionOf(uses: string): { name: string; tag: string } {
  const [name = '', tag = ''] = uses.trim().split('@', 2)
  return { name, tag }
}

interface NamedImage {
  readonly language: string
  /** Last part of the image's name. */
  readonly name: RegExp
  /** Where the version stands in the tag; the default is its beginning. */
  readonly tag?: RegExp
}

const jdk = /(?:jdk|temurin|corretto|openjdk)-?(\d+)/

const images: readonly NamedImage[] = [
  { language: 'python', name: /^python$/ },
  { language: 'javascript', name: /^(?:node|javascript-node|typescript-node)$/ },
  { language: 'go', name: /^(?:golang|go)$/ },
  { language: 'rust', name: /^rust$/ },
  { language: 'ruby', name: /^ruby$/ },
  { language: 'php', name: /^php$/ },
  { language: 'java', name: /^(?:maven|gradle)$/, tag: jdk },
  { language: 'java', name: /^(?:openjdk|eclipse-temurin|amazoncorretto|java)$/ },
  { language: 'csharp', name: /^(?:sdk|dotnet)$/ },
]

/** The language that an image is made for, and its version: `python:3.12-slim` → 3.12. */
export function imageVersion(image: string): NamedVersion | undefined {
  const [path = ''] = image.trim().split('@')
  const base = path.slice(path.lastIndexOf('/') + 1)
  const colon = base.indexOf(':')
  if (colon < 0) return undefined
  const [name, tag] = [base.slice(0, colon), base.slice(colon + 1)]
  const known = images.find((entry) => entry.name.test(name))
  // The tags of development containers begin with a version of their own: `1-3.12-bookworm`.
  const own = path.includes('devcontainers/') ? tag.replace(/^\d+(?:\.\d+)*-(?=\d)/, '') : tag
  const version = known && (known.tag ?? /^v?(\d+(?:\.\d+)*(?:-?(?:rc|alpha|beta|dev)\w*)?)/).exec(own)?.[1]
  return version === undefined ? undefined : { language: known!.language, version }
}

/** `registry.example/library/postgres:15` → `postgres`. */
export function serviceName(image: string): string {
  const [path = ''] = image.trim().split('@')
  return path.slice(path.lastIndexOf('/') + 1).split(':')[0]!
}
