/** Majors with an official image that this tool is tried with, the preferred first. */
const majors = [24, 22, 20, 18, 16, 14]

/** The major of `.nvmrc`, `volta.node` and the like: `v20.11.1` → 20; a name of a line (`lts/iron`) is none. */
function pinnedMajor(text: string | undefined): number | undefined {
  const match = /^[ \t]*v?(\d{1,2})(?:\.|[ \t\r]*$)/m.exec(text ?? '')
  return match ? Number(match[1]) : undefined
}

/** The newest major that `engines.node` allows; undefined where it says nothing readable or allows none. */
function allowedMajor(range: unknown): number | undefined {
  if (typeof range !== 'string') return undefined
  const choices = range.split('||').map(comparatorsOf)
  return majors.find((major) => choices.some((all) => all.length > 0 && all.every((holds) => holds(major))))
}

type Comparator = (major: number) => boolean

function comparatorsOf(choice: string): Comparator[] {
  const span = /^\s*v?(\d+)\S*\s+-\s+v?(\d+)/.exec(choice)
  if (span) return [(major) => major >= Number(span[1]) && major <= Number(span[2])]
  return [...choice.matchAll(/(>=|<=|>|<|\^|~|=)?\s*v?(\d+|\*|x)(\.\d+)?\S*/gi)].map(
    ([, sign = '=', number, minor]) => {
      const wanted = Number(number)
      if (Number.isNaN(wanted)) return () => true
      if (sign === '>=') return (major) => major >= wanted
      if (sign === '>') return (major) => (minor === undefined ? major > wanted : major >= wanted)
      if (sign === '<') return (major) => (minor === undefined || minor === '.0' ? major < wanted : major <= wanted)
      if (sign === '<=') return (major) => major <= wanted
      return (major) => major === wanted
    },
  )
}

/** A pin that has an image holds; else the newest that is allowed; else the newest. */
export function nodeMajor(pins: readonly (string | undefined)[], engines: unknown): number {
  const pinned = pins.map(pinnedMajor).find((major) => major !== undefined && majors.includes(major))
  return pinned ?? allowedMajor(engines) ?? majors[0]!
}
