import type { ToolVersion } from './job.ts'
import { newestVersion } from './version-order.ts'
import { textOf, type YamlMap } from './yaml-value.ts'

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

/** The version that a step sets up; of several the newest release. */
export function setUpVersion(uses: string, inputs: YamlMap): Omit<ToolVersion, 'tested'> | undefined {
  const { name, tag } = actionOf(uses)
  const action = Object.hasOwn(setupActions, name) ? setupActions[name]! : undefined
  if (action === undefined) return undefined
  const written = textOf(inputs[action.input]) || (action.byTag ? tag : '')
  const version = newestVersion(written.split(/[\s,]+/).filter((part) => part !== ''))
  return version === undefined ? undefined : { language: action.language, version }
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
