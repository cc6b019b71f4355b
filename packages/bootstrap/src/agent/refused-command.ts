/**
 * Commands that help no recipe. The sandbox is what protects: this only saves a turn that would end in a dead sandbox, and says
 * why. A command that means harm gets past it, and harms its own sandbox alone.
 */
const RULES: readonly (readonly [pattern: RegExp, why: string])[] = [
  [/([\w:.]{1,40})\s*\(\)\s*\{[^}]*\1\s*\|\s*\1[^}]*\}/, 'it starts processes without end'],
  [/(?:^|[\s;&|(/])(?:docker|podman|nerdctl)(?:\s|$)|docker\.sock/, 'there is no container engine in this sandbox'],
  [
    /169\.254\.169\.254|169\.254\.170\.2|metadata\.google\.internal|fd00:ec2::254|100\.100\.100\.200/i,
    'addresses of cloud metadata are not for builds',
  ],
  [/(?:^|[\s;&|(])kill\s+(?:-\S+\s+)*(?:--\s+)?-?1(?:\s|$|[;&|)])/, 'process 1 keeps the sandbox alive'],
  [
    />\s*\/r2e\/|(?:^|[\s;&|(])(?:rm|mv|tee|truncate|chmod|ln)\s[^;&|]*\s?\/r2e(?:\/|\s|$)/,
    '/r2e holds files that a task brings along: a command must not change them',
  ],
  [/(?:^|[\s;&|(])rm\s+(?:-\S+\s+)+(?:--no-preserve-root\s+)?\/\*?(?:\s|$|[;&|)])/, 'it removes the whole system'],
  [
    /(?:^|[\s;&|(])(?:shutdown|reboot|poweroff|mkfs(?:\.\w+)?)(?:\s|$)|\bof=\/dev\/(?!null)/,
    'it is about the machine, not about the project',
  ],
]

const LONGEST = 8000

/** Why a command is not run; undefined where it is. */
export function refusedCommand(command: string): string | undefined {
  if (command.length > LONGEST) return `it is longer than ${LONGEST} characters`
  return RULES.find(([pattern]) => pattern.test(command))?.[1]
}
