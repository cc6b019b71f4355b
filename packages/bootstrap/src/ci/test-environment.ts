import type { ReadJob } from './rank-test-jobs.ts'
import type { ReadCommand } from './read-commands.ts'
import { isResolved } from './unresolved.ts'

export interface TestVariable {
  readonly name: string
  readonly value: string
}

/**
 * Variables that say how the project itself is to run. Others are about the machine of the job, the look of its output, its
 * compiler, its services or its secrets: none of them makes a test pass, and some make a program run other code.
 */
const wanted = new Set([
  'APP_ENV',
  'DJANGO_SETTINGS_MODULE',
  'HYPOTHESIS_PROFILE',
  'MPLBACKEND',
  'NODE_ENV',
  'PYTHONPATH',
  'QT_QPA_PLATFORM',
  'RAILS_ENV',
  'TZ',
])

const longest = 200

/** Variables of the step that runs the tests, and of the command itself, whose values stand in the file. */
export function testEnvironment({ job, steps }: ReadJob, call: ReadCommand, test: ReadCommand): TestVariable[] {
  const step = job.steps[steps.findIndex((commands) => commands.includes(call))]
  const known = new Map(Object.entries(step?.ownEnv ?? {}))
  for (const { env, literals } of [call, test])
    for (const [name, value] of Object.entries(env)) {
      if (step?.isLiteral && literals.has(name)) known.set(name, value)
      else known.delete(name)
    }
  return [...known]
    .filter(([name, value]) => wanted.has(name) && isPlain(value))
    .map(([name, value]) => ({ name, value }))
    .sort((a, b) => (a.name < b.name ? -1 : 1))
}

/** One printable line, no address, and no path of the job's machine. */
function isPlain(value: string): boolean {
  return (
    isResolved(value) &&
    value.length <= longest &&
    /^[\x20-\x7e]+$/.test(value) &&
    !/:\/\/|[$`]|(?:^|:)[/~]/.test(value)
  )
}
