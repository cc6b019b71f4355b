import { readdir, stat } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { isWithin } from './root.ts'
import { isFolder } from './search-path.ts'

/** Folders below a home that hold programs. Everything else there (keys, tokens, documents, caches) stays out of sight. */
const HOME_TOOLCHAINS = [
  '.pyenv',
  '.rbenv',
  '.nodenv',
  '.goenv',
  '.jenv',
  '.nvm',
  '.volta',
  '.asdf',
  '.sdkman',
  '.rustup',
  '.cargo/bin',
  '.juliaup',
  '.dotnet',
  '.deno',
  '.bun',
  '.ghcup',
  '.elan',
  '.local/bin',
  '.local/lib',
  '.local/pipx',
  '.local/share/uv/python',
  '.local/share/uv/tools',
  '.local/share/mise/installs',
  '.local/share/fnm',
  '.local/share/pnpm',
  'go',
  'sdk',
  'bin',
  'miniconda3',
  'miniforge3',
  'mambaforge',
  'anaconda3',
]

/** Variables that say where a toolchain lies; kept where the sandbox shows the place. */
export const TOOLCHAIN_VARIABLES = [
  'PYENV_ROOT',
  'RBENV_ROOT',
  'NVM_DIR',
  'VOLTA_HOME',
  'RUSTUP_HOME',
  'GOROOT',
  'JAVA_HOME',
  'DOTNET_ROOT',
  'DENO_INSTALL',
  'BUN_INSTALL',
] as const

const PROGRAM_FOLDERS = new Set(['bin', 'sbin', 'shims'])

export async function homeToolchains(home: string): Promise<string[]> {
  const found: string[] = []
  for (const name of HOME_TOOLCHAINS) if (await isFilled(join(home, name))) found.push(join(home, name))
  return found
}

/**
 * The folder to show for an entry of the search path that lies elsewhere: the one around a `bin`, never a home or an
 * ancestor of it. Virtual environments are left out: they may hold the very project that is under test.
 */
export async function toolchainPrefix(folder: string, home: string): Promise<string | undefined> {
  const prefix = dirname(folder)
  if (!PROGRAM_FOLDERS.has(basename(folder))) return undefined
  if (await stat(join(prefix, 'pyvenv.cfg')).catch(() => undefined)) return undefined
  return prefix === '/' || isWithin(home, prefix) ? folder : prefix
}

async function isFilled(path: string): Promise<boolean> {
  return (await isFolder(path)) && (await readdir(path).catch(() => [])).length > 0
}
