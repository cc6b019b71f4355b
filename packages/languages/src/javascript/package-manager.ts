import type { RecipeFile, RecipeStep } from '@r2e/spec'
import type { Manifests } from '../manifests.ts'
import type { PackageJson } from './package-json.ts'

type ManagerName = 'npm' | 'pnpm' | 'yarn' | 'berry' | 'bun'

export interface PackageManager {
  readonly name: ManagerName
  /** Version to install; npm comes with the image. */
  readonly version: string | undefined
  /** Lock file, if there is one. */
  readonly lock: string | undefined
}

/** Where manifests and lock lie, and where the packages are installed. */
export const modulesFolder = 'node'

const quiet = '--no-audit --no-fund'
/** A default of newer npm and pnpm holds back the builds of dependencies. */
const scripts = '--dangerously-allow-all-scripts=true'
const tool = (name: string) => `/r2e/tools/node_modules/.bin/${name}`

/** By the lock file; where several lie side by side, by the one that `packageManager` names. */
export async function findManager(manifests: Manifests, root: PackageJson): Promise<PackageManager> {
  const declared = /^(npm|pnpm|yarn|bun)@(\d+\.\d+\.\d+(?:-[\w.]+)?)/.exec(String(root.fields.packageManager ?? ''))
  const locks = Object.entries(lockFiles).filter(([path]) => manifests.has(path))
  const [lock, kind] = locks.find(([, name]) => name === declared?.[1]) ??
    locks[0] ?? [undefined, declared?.[1] ?? 'npm']
  const version = kind === declared?.[1] ? declared?.[2] : undefined
  const text = lock === undefined || lock === 'bun.lockb' ? '' : ((await manifests.read(lock)) ?? '')
  if (kind === 'pnpm') return { name: 'pnpm', version: version ?? pnpmOf(text), lock }
  if (kind === 'bun') return { name: 'bun', version, lock }
  if (kind !== 'yarn') return { name: 'npm', version: undefined, lock }
  const modern = /^__metadata:/m.test(text) || Number(version?.split('.')[0] ?? 1) > 1
  return modern ? { name: 'berry', version: version ?? '4', lock } : { name: 'yarn', version: '1', lock }
}

const lockFiles: Readonly<Record<string, string>> = {
  'pnpm-lock.yaml': 'pnpm',
  'yarn.lock': 'yarn',
  'bun.lock': 'bun',
  'bun.lockb': 'bun',
  'package-lock.json': 'npm',
  'npm-shrinkwrap.json': 'npm',
}

/** The major that writes this version of the lock file. */
function pnpmOf(lock: string): string {
  const version = /^lockfileVersion:\s*'?(\d+)(?:\.(\d+))?/m.exec(lock)
  if (!version) return '9'
  const major = Number(version[1])
  if (major >= 9) return '9'
  return major >= 6 ? '8' : Number(version[2] ?? 0) >= 4 ? '7' : '6'
}

/** The package that brings the manager, as a manifest: its version comes from the repository. */
export function toolFiles({ name, version }: PackageManager): RecipeFile[] {
  const packages: Readonly<Partial<Record<ManagerName, string>>> = {
    pnpm: 'pnpm',
    yarn: 'yarn',
    berry: '@yarnpkg/cli-dist',
  }
  const wanted = packages[name]
  if (wanted === undefined) return []
  const text = `${JSON.stringify({ private: true, dependencies: { [wanted]: version ?? '*' } })}\n`
  return [{ path: 'tools/package.json', text }]
}

const secret = /_auth|_password|token|username|email/
/** Settings that the steps decide themselves. */
const ours =
  /registry$|^(?:ignore-scripts|engine-strict|package-lock|lockfile|before|prefix|cache|store-dir|script-shell|min-release-age)$/

/** Settings of the project without what is secret, and without a registry: the image knows its own. */
export function managerSettings(
  npmrc: string | undefined,
  { name }: PackageManager,
  before: string | undefined,
): RecipeFile[] {
  const lines = (npmrc ?? '').split(/\r?\n/).filter((line) => {
    const key = line.split('=')[0]!.trim().toLowerCase()
    return /^[a-z]/.test(key) && !secret.test(key) && !ours.test(key) && !line.includes('${')
  })
  const all = name === 'npm' && before !== undefined ? [...lines, `before=${before}`] : lines
  const files = all.length > 0 ? [{ path: `${modulesFolder}/.npmrc`, text: `${all.join('\n')}\n` }] : []
  if (name !== 'berry') return files
  const settings = [
    'nodeLinker: node-modules',
    'enableTelemetry: false',
    'enableScripts: true',
    'checksumBehavior: ignore',
    'enableImmutableInstalls: false',
  ]
  return [...files, { path: `${modulesFolder}/.yarnrc.yml`, text: `${settings.join('\n')}\n` }]
}

/** Installs what the lock froze, or what the manifests ask for. */
export function installSteps({ name }: PackageManager, frozen: boolean): RecipeStep[] {
  const commands: Readonly<Record<ManagerName, string>> = {
    npm: frozen ? `npm ci ${quiet} ${scripts}` : `npm install ${quiet} ${scripts} --legacy-peer-deps --no-package-lock`,
    pnpm: `${tool('pnpm')} install ${frozen ? '--frozen-lockfile' : '--no-frozen-lockfile'} --config.dangerously-allow-all-builds=true --config.strict-dep-builds=false --config.engine-strict=false`,
    yarn: `${tool('yarn')} install --non-interactive --ignore-engines ${frozen ? '--frozen-lockfile' : '--no-lockfile'}`,
    berry: `${tool('yarn')} install`,
    bun: `bun install ${frozen ? '--frozen-lockfile' : ''}`.trimEnd(),
  }
  return [
    ...(name === 'pnpm' || name === 'yarn' || name === 'berry'
      ? [{ run: `cd /r2e/tools && npm install ${quiet} ${scripts}`, network: true }]
      : []),
    ...(name === 'bun'
      ? [{ run: `command -v bun > /dev/null || npm install --global ${quiet} ${scripts} bun@1`, network: true }]
      : []),
    { run: `cd /r2e/${modulesFolder} && ${commands[name]}`, network: true },
  ]
}
