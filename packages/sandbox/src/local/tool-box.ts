import { constants } from 'node:fs'
import { access, chmod, copyFile, mkdir, realpath, rename, rm, stat } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { digestOf, userError } from '@r2e/spec'
import { HOST_ENV, runHost } from './run-host.ts'

/**
 * Copies of a few host programs with the libraries they need, mounted read-only at {@link TOOL_BOX_PATH} in every
 * sandbox: they run whatever the sandbox's own root holds, and nothing in it can replace them.
 */
export interface ToolBox {
  /** Folder on the host. */
  readonly directory: string
  /** Path of nsenter(1) on the host: never looked for in the search path of a sandbox. */
  readonly nsenter: string
  /** Argument list that starts a tool inside a sandbox. */
  command(tool: ToolName): readonly string[]
}

export const TOOL_BOX_PATH = '/dev/.r2e'

const TOOLS = ['sh', 'setpriv', 'prlimit', 'env', 'tar', 'cat', 'umount'] as const
export type ToolName = (typeof TOOLS)[number]
/** Programs that stay on the host. */
const HOST_TOOLS = ['unshare', 'nsenter', 'mount', 'pivot_root', 'rm', 'mknod', 'ldd'] as const

/** Names of the programs that are missing here. */
export async function missingTools(): Promise<string[]> {
  const found = await Promise.all([...TOOLS, ...HOST_TOOLS].map(async (name) => [name, await findTool(name)] as const))
  return found.filter(([, path]) => !path).map(([name]) => name)
}

export async function createToolBox(folder: string): Promise<ToolBox> {
  const programs = await Promise.all(TOOLS.map(readProgram))
  const files = new Map(programs.flatMap((program) => program.files.map((path) => [basename(path), path] as const)))
  for (const program of programs) files.set(program.name, program.path)
  const directory = join(folder, await nameOf(files))
  if (!(await exists(directory))) await copyFiles(files, directory)
  const loaders = new Map(programs.map((program) => [program.name, program.loader]))
  return {
    directory,
    nsenter: await requireTool('nsenter'),
    command(tool) {
      const loader = loaders.get(tool)
      const program = `${TOOL_BOX_PATH}/${tool}`
      return loader ? [`${TOOL_BOX_PATH}/${loader}`, '--library-path', TOOL_BOX_PATH, program] : [program]
    },
  }
}

interface Program {
  readonly name: ToolName
  readonly path: string
  /** Absent where the program is static. */
  readonly loader: string | undefined
  readonly files: readonly string[]
}

async function readProgram(name: ToolName): Promise<Program> {
  const path = await realpath(await requireTool(name))
  const { stdout } = await runHost({ argv: ['ldd', path] })
  const libraries = [...stdout.matchAll(/=> (\/\S+) \(/g)].map((match) => match[1]!)
  const loader = stdout.match(/^\s*(\/\S+)(?: =>| \()/m)?.[1]
  return { name, path, loader: loader && basename(loader), files: loader ? [loader, ...libraries] : [] }
}

async function requireTool(name: string): Promise<string> {
  const found = await findTool(name)
  if (!found) throw userError('sandbox_tool_missing', `the local sandbox needs the program ${name}`)
  return found
}

async function findTool(name: string): Promise<string | undefined> {
  for (const folder of HOST_ENV.PATH.split(':')) if (await exists(join(folder, name))) return join(folder, name)
  return undefined
}

async function exists(path: string): Promise<boolean> {
  return await access(path, constants.F_OK).then(
    () => true,
    () => false,
  )
}

async function nameOf(files: ReadonlyMap<string, string>): Promise<string> {
  const parts = [...files].map(async ([name, path]) => {
    const { size, mtimeMs } = await stat(path)
    return [name, path, size, mtimeMs]
  })
  return digestOf(JSON.stringify(await Promise.all(parts))).slice(7, 19)
}

async function copyFiles(files: ReadonlyMap<string, string>, directory: string): Promise<void> {
  const temporary = `${directory}.${process.pid}.${Math.random().toString(36).slice(2)}`
  await mkdir(temporary, { recursive: true })
  for (const [name, path] of files) {
    await copyFile(path, join(temporary, name))
    await chmod(join(temporary, name), 0o755)
  }
  await chmod(temporary, 0o755)
  await rename(temporary, directory).catch(() => rm(temporary, { recursive: true, force: true }))
}
