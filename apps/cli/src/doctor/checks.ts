import type { Context } from '../context.ts'
import type { Check } from './check.ts'
import { diskCheck } from './disk.ts'
import { programCheck } from './program.ts'
import { sandboxChecks } from './sandboxes.ts'

const tokens = ['GITHUB_TOKEN', 'HF_TOKEN', 'OPENAI_API_KEY', 'ANTHROPIC_API_KEY'] as const

export async function runChecks(context: Context, stateDirectory: string): Promise<readonly Check[]> {
  const [git, python, sandboxes, disk] = await Promise.all([
    programCheck({ name: 'git', argv: ['git', '--version'], least: [2, 31], needed: true, fix: 'apt-get install git' }),
    programCheck({
      name: 'python3',
      argv: ['python3', '--version'],
      least: [3, 9],
      needed: false,
      fix: 'apt-get install python3: the local sandbox on this machine’s own tree grades with it',
    }),
    sandboxChecks(stateDirectory, context),
    diskCheck(stateDirectory),
  ])
  return [
    nodeCheck(process.versions.node),
    git,
    python,
    ...sandboxes,
    disk,
    environmentFileCheck(context),
    ...tokenChecks(context),
  ]
}

export function nodeCheck(version: string): Check {
  const [major = 0, minor = 0] = version.split('.').map(Number)
  const ok = major > 22 || (major === 22 && minor >= 22)
  return {
    name: 'node',
    ok,
    needed: true,
    detail: version,
    warnings: [],
    ...(ok ? {} : { fix: 'install Node 22.22 or newer' }),
  }
}

function environmentFileCheck({ environmentFile }: Context): Check {
  const detail = environmentFile ?? 'none here or above'
  return { name: '.env', ok: environmentFile !== undefined, needed: false, detail, warnings: [] }
}

/** By name only: the value of a secret is never shown. */
function tokenChecks({ environment }: Context): readonly Check[] {
  return tokens.map((name) => {
    const ok = (environment[name] ?? '') !== ''
    return { name, ok, needed: false, detail: ok ? 'present' : 'absent: not needed for local work', warnings: [] }
  })
}
