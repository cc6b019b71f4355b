import type { RecipeOrigin } from '@r2e/spec'
import type { CiFacts, Fact } from './ci-facts.ts'
import type { ReadCommand } from './read-commands.ts'
import { isResolved, unresolved } from './unresolved.ts'

const mostOfOne = 10
const longest = 120

/** Everything that was read, for people: what a recipe uses and what it does not. */
export function originOf(facts: CiFacts): RecipeOrigin[] {
  const { packages, leftOut, version, services, env, install, test, unread } = facts
  return [
    ...rows(unread, (reason) => `is not read: ${reason}`),
    ...rows(
      version && isResolved(version.value.chosen) ? [version] : [],
      ({ chosen }) => `version ${chosen} for tests`,
    ),
    ...rows(packages, (name) => `package ${name}`),
    ...rows(leftOut, ({ word, reason }) => `package ${word} is left out: ${reason}`),
    ...rows(services, (name) => `service ${name} is left out`),
    ...rows(env, ({ name, value }) => `${name}=${value} for tests`),
    ...rows(install, (command) => `installs by ${commandText(command)}`),
    ...rows(test ? [test] : [], (command) => `tests by ${commandText(command)}`),
  ]
}

function rows<Value>(facts: readonly Fact<Value>[], text: (value: Value) => string): RecipeOrigin[] {
  const all = facts.map(({ value, file, job }) => ({
    fact: printable(job === undefined ? text(value) : `${text(value)} (job ${job})`),
    file,
  }))
  return [...new Map(all.map((row) => [`${row.file}\n${row.fact}`, row])).values()].slice(0, mostOfOne)
}

function commandText({ inner }: ReadCommand): string {
  return inner.join(' ')
}

function printable(text: string): string {
  const plain = text.replaceAll(unresolved, '…').replace(/[\s\0-\x1f\x7f]+/g, ' ')
  return plain.length > longest ? `${plain.slice(0, longest)}…` : plain
}
