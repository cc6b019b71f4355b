import {
  type BuildResult,
  encodeUtf8,
  type FileEntry,
  type Recipe,
  type RecipeFile,
  type Sandbox,
  type SandboxLimits,
  type SandboxProvider,
  type Tree,
} from '@r2e/spec'

/** Where agent and recipe find the tree. */
export const WORK_TREE = '/app'

/** What a mender works with. */
export interface Workbench {
  readonly provider: SandboxProvider
  readonly limits: SandboxLimits
  /** Owner label. */
  readonly run: string
  readonly tree: Tree
  /** Files of the grader, by which runners report. */
  readonly grader: readonly FileEntry[]
  /** The user's signal, and the end of the time. */
  readonly signal: AbortSignal
  /** When the time ends, by `performance.now()`. */
  readonly endsAt: number
}

const MIB = 2 ** 20
/** Larger trees lose what lies behind this, in the order of paths. */
const MOST_TREE = 256 * MIB
const AT_ONCE = 16 * MIB
const BUILD_LIMIT_MS = 20 * 60_000

/** What every image of a task holds, so that a command does not miss here what it would find there. */
const TOOLS = [
  'need=; for tool in python3 git bash tar; do command -v $tool >/dev/null || need="$need $tool"; done',
  '[ -e /etc/ssl/certs/ca-certificates.crt ] || need="$need ca-certificates"',
]

/** The layers of a recipe before its tree comes in; without steps, what an agent starts from. */
export function dockerfileOf(recipe: Pick<Recipe, 'baseImage' | 'system' | 'env'>, steps: readonly string[]): string {
  const packages = recipe.system.map((name) => `dpkg -s ${name} >/dev/null 2>&1 || need="$need ${name}"`)
  const install = [
    'if [ -z "$need" ]; then true',
    'elif command -v apt-get >/dev/null; then apt-get update -qq && DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends $need >/dev/null',
    'elif command -v apk >/dev/null; then apk add --no-cache $need',
    'else echo "the base image lacks:$need" >&2; exit 1; fi',
  ].join('; ')
  const env = Object.entries(recipe.env).map(
    ([name, value]) => `ENV ${name}="${value.replace(/[\\"]/g, '\\$&').replace(/\$(?!\{[A-Za-z_])/g, '\\$')}"`,
  )
  const lines = [
    `FROM ${recipe.baseImage}`,
    'USER root',
    `RUN ${[...TOOLS, ...packages, install].join('; ')}`,
    ...env,
    `WORKDIR ${WORK_TREE}`,
    'COPY deps/ /r2e/',
    ...steps.map((step) => `RUN ${step}`),
    'ENTRYPOINT []',
  ]
  return `${lines.join('\n')}\n`
}

export function buildLayers(
  { provider, run, signal, endsAt }: Workbench,
  dockerfile: string,
  files: readonly RecipeFile[],
): Promise<BuildResult> {
  const text = (path: string, content: string): FileEntry => ({ path, mode: '100644', content: encodeUtf8(content) })
  return provider.build({
    // a folder that is copied must exist
    context: [
      text('Dockerfile', dockerfile),
      text('deps/.keep', ''),
      ...files.map((file) => text(`deps/${file.path}`, file.text)),
    ],
    run,
    timeoutMs: Math.max(1, Math.min(BUILD_LIMIT_MS, Math.ceil(endsAt - performance.now()))),
    network: true,
    signal,
  })
}

/** A sandbox of an image with the tree in it, as one commit. Answers how many files were too much. */
export async function openWithTree(
  bench: Workbench,
  image: string,
  network: boolean,
): Promise<{ readonly sandbox: Sandbox; readonly left: number }> {
  const { provider, run, limits, signal } = bench
  const sandbox = await provider.open({ image, run, network, limits, signal })
  try {
    await runScript(bench, sandbox, `find ${WORK_TREE} -mindepth 1 -delete`)
    const left = await writeTree(bench, sandbox)
    await runScript(bench, sandbox, COMMIT)
    return { sandbox, left }
  } catch (error) {
    await sandbox[Symbol.asyncDispose]()
    throw error
  }
}

/** Tools that ask git for a version find a repository, without any setting, template or hook. */
const COMMIT = [
  'export GIT_CONFIG_GLOBAL=/dev/null GIT_CONFIG_NOSYSTEM=1',
  'git init -q --template= .',
  'git -c core.autocrlf=false add -A -f .',
  'git -c user.name=r2e -c user.email=r2e@localhost -c commit.gpgSign=false commit -q --allow-empty --no-verify -m Base',
].join(' && ')

async function runScript({ signal }: Workbench, sandbox: Sandbox, script: string): Promise<void> {
  await sandbox.exec({ argv: ['sh', '-c', script], cwd: WORK_TREE, user: 'root', timeoutMs: 120_000, signal })
}

async function writeTree({ tree, signal }: Workbench, sandbox: Sandbox): Promise<number> {
  let [total, left, held] = [0, 0, 0]
  let batch: Omit<FileEntry, 'content'>[] = []
  const flush = async () => {
    signal.throwIfAborted()
    const contents = await tree.readAll(batch.map(({ path }) => path))
    const files = batch.flatMap(({ path, mode }) => {
      const content = contents.get(path)
      return content ? [{ path, mode, content }] : []
    })
    if (files.length > 0) await sandbox.write(WORK_TREE, files)
    batch = []
    held = 0
  }
  for (const { path, mode, size } of await tree.entries()) {
    if (total + size > MOST_TREE) {
      left++
      continue
    }
    total += size
    held += size
    batch.push({ path, mode })
    if (held > AT_ONCE || batch.length >= 2000) await flush()
  }
  await flush()
  return left
}
