import { decodeUtf8, type RunConfig, type SandboxProvider } from '@r2e/spec'

export interface ImageContents {
  /** First version line of each tool, by name. */
  readonly toolchain: Readonly<Record<string, string>>
  readonly packages: readonly string[]
}

export interface ContentsRequest {
  readonly provider: SandboxProvider
  readonly sandbox: RunConfig['sandbox']
  readonly image: string
  readonly run: string
  readonly language: string
  readonly signal: AbortSignal
}

const LIMIT_MS = 60_000
const MOST_PACKAGES = 5000

const TOOLS = `for tool in python3 python node npm go rustc cargo java mvn gradle gcc g++ cmake php ruby dotnet git; do
  command -v "$tool" >/dev/null 2>&1 || continue
  case "$tool" in
    go) line=$(go version 2>&1 | head -n 1) ;;
    java) line=$(java -version 2>&1 | head -n 1) ;;
    mvn | gradle) line=$(cd / && "$tool" --offline --version 2>&1 | grep -i -m 1 -E 'maven|gradle [0-9]') ;;
    *) line=$("$tool" --version 2>&1 | head -n 1) ;;
  esac
  printf '%s\t%s\n' "$tool" "$line"
done`

const PACKAGES: Readonly<Record<string, readonly string[]>> = {
  python: [
    'python',
    '-I',
    '-c',
    'import importlib.metadata as m; print(*sorted({f"{d.metadata[\'Name\']}=={d.version}" for d in m.distributions()}), sep="\\n")',
  ],
  javascript: ['npm', 'ls', '--all', '--parseable', '--long', '--offline'],
  go: ['go', 'list', '-mod=mod', '-m', 'all'],
}

/** What is installed in an image, as far as its own tools say; their failure is no failure of the environment. */
export async function readImageContents(request: ContentsRequest): Promise<ImageContents> {
  const { provider, sandbox, image, run, signal } = request
  await using opened = await provider.open({
    image,
    run,
    limits: { cpus: sandbox.cpus, memoryMb: sandbox.memory_mb, pids: sandbox.pids },
    signal,
  })
  const linesOf = async (argv: readonly string[]) => {
    const { outcome, stdout } = await opened.exec({ argv, cwd: '/app', timeoutMs: LIMIT_MS, signal })
    return outcome === 'exited'
      ? decodeUtf8(stdout)
          .split('\n')
          .filter((line) => line.trim() !== '')
      : []
  }
  const tools = (await linesOf(['sh', '-c', TOOLS])).map((line) => line.split('\t') as [string, string])
  const list = PACKAGES[request.language]
  const packages = list ? (await linesOf(list)).map(packageName).filter((line) => line !== '') : []
  return {
    toolchain: Object.fromEntries(
      tools.filter(([, version]) => version).map(([name, version]) => [name, version.slice(0, 200)]),
    ),
    packages: [...new Set(packages)].sort().slice(0, MOST_PACKAGES),
  }
}

/** `/app/node_modules/a:a@1.2.3:…` of npm is `a@1.2.3`; others say it plainly. */
function packageName(line: string): string {
  const plain = line.startsWith('/') ? (line.split(':')[1] ?? '') : line
  return plain.slice(0, 200)
}
