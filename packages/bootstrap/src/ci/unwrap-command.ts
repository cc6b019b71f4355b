/** What a wrapper's command line means to the words after it. */
interface Wrapper {
  /** The first words of the wrapper. */
  readonly words: readonly string[]
  /** Options whose value is the next word. */
  readonly valued?: readonly string[]
  /** How many operands of its own stand before the command. */
  readonly operands?: number
  /** What the command begins with instead, where it is a module or program of an interpreter. */
  readonly module?: boolean
}

const uvOptions = [
  '--with',
  '--extra',
  '--group',
  '--only-group',
  '--no-group',
  '-p',
  '--python',
  '--project',
  '--directory',
  '--with-requirements',
  '--env-file',
  '--package',
  '--index-url',
]

const wrappers: readonly Wrapper[] = [
  { words: ['sudo'], valued: ['-u', '--user', '-g', '--group'] },
  { words: ['env'], valued: ['-u', '--unset', '-C', '--chdir'] },
  { words: ['command'] },
  { words: ['exec'] },
  { words: ['time'] },
  { words: ['nohup'] },
  { words: ['nice'], valued: ['-n'] },
  { words: ['timeout'], valued: ['-k', '-s', '--signal', '--kill-after'], operands: 1 },
  { words: ['stdbuf'], valued: ['-i', '-o', '-e'] },
  { words: ['retry'] },
  { words: ['xvfb-run'], valued: ['-s', '--server-args', '-n', '--server-num', '-e', '-f', '-w'] },
  { words: ['dbus-run-session'] },
  { words: ['catchsegv'] },
  { words: ['uv', 'run'], valued: uvOptions },
  { words: ['uvx'], valued: ['--from', ...uvOptions] },
  { words: ['uv', 'tool', 'run'], valued: ['--from', ...uvOptions] },
  { words: ['poetry', 'run'] },
  { words: ['pipenv', 'run'] },
  { words: ['pdm', 'run'], valued: ['-p', '--project'] },
  { words: ['rye', 'run'] },
  { words: ['pipx', 'run'], valued: ['--spec', '--python'] },
  { words: ['pixi', 'run'], valued: ['-e', '--environment', '--manifest-path'] },
  { words: ['conda', 'run'], valued: ['-n', '--name', '-p', '--prefix'] },
  { words: ['mamba', 'run'], valued: ['-n', '--name'] },
  { words: ['micromamba', 'run'], valued: ['-n', '--name'] },
  {
    words: ['coverage', 'run'],
    valued: ['--rcfile', '--source', '--omit', '--include', '--context', '--concurrency', '--data-file'],
    module: true,
  },
  { words: ['slipcover'], module: true },
  { words: ['bundle', 'exec'] },
  { words: ['npx'], valued: ['-p', '--package'] },
  { words: ['bunx'] },
  { words: ['pnpm', 'exec'] },
  { words: ['pnpm', 'dlx'] },
  { words: ['yarn', 'exec'] },
  { words: ['yarn', 'dlx'] },
  { words: ['npm', 'exec'] },
  { words: ['nyc'], valued: ['-r', '--reporter', '-n', '--include', '-x', '--exclude'] },
  { words: ['c8'], valued: ['-r', '--reporter', '-n', '--include', '-x', '--exclude'] },
  { words: ['cross-env'] },
]

const deepest = 8

export interface UnwrappedCommand {
  readonly words: readonly string[]
  /** Assignments of `env A=1`, `sudo A=1`, `cross-env A=1`. */
  readonly env: Readonly<Record<string, string>>
}

/** The command inside of `sudo`, `env`, `uv run`, `coverage run -m`, `python -m` and the like. */
export function unwrapCommand(words: readonly string[]): UnwrappedCommand {
  let inner = withBaseName(words)
  const env: Record<string, string> = Object.create(null)
  for (let depth = 0; depth < deepest; depth++) {
    const next = unwrapOnce(inner, env)
    if (next === undefined || next.length === 0) break
    inner = withBaseName(next)
  }
  return { words: inner, env }
}

function unwrapOnce(words: readonly string[], env: Record<string, string>): readonly string[] | undefined {
  if (/^python[\d.]*$/.test(words[0] ?? '')) return pythonModule(words)
  const wrapper = wrappers.find((one) => one.words.every((word, index) => words[index] === word))
  if (wrapper === undefined) return undefined
  let operands = wrapper.operands ?? 0
  for (let at = wrapper.words.length; at < words.length; at++) {
    const word = words[at]!
    const assignment = /^([A-Za-z_]\w*)=([\s\S]*)$/.exec(word)
    if (wrapper.valued?.includes(word)) at++
    else if (word === '-m' && wrapper.module) return words.slice(at + 1)
    else if (word === '--') return words.slice(at + 1)
    else if (assignment) env[assignment[1]!] = assignment[2]!
    else if (word.startsWith('-')) continue
    else if (operands > 0) operands--
    else return words.slice(at)
  }
  return undefined
}

/** `python -W error -m pytest` → `pytest`; a script or a line of code stays what it is. */
function pythonModule(words: readonly string[]): readonly string[] | undefined {
  for (let at = 1; at < words.length; at++) {
    const word = words[at]!
    if (word === '-m') return words.slice(at + 1)
    const bundled = /^-[A-Za-z]*m$/.exec(word)
    if (bundled) return words.slice(at + 1)
    if (word === '-W' || word === '-X') at++
    else if (!word.startsWith('-') || word === '-c') return undefined
  }
  return undefined
}

/** Programs are told apart by their last part: `.venv/bin/pytest`. A script of the repository keeps its path. */
function withBaseName(words: readonly string[]): readonly string[] {
  const [first = '', ...rest] = words
  const name = /(?:^|\/)(?:s?bin|node_modules\/\.bin|Scripts|vendor\/bin)\/([\w.+-]+)$/.exec(first)?.[1]
  return name === undefined ? words : [name, ...rest]
}
