import { ownName, type Requirement, uniqueRequirements } from './requirement.ts'

/** What one manifest says about a project's dependencies. */
export interface Facts {
  /** Normalised name of the project itself. */
  readonly name?: string | undefined
  /** `requires-python`: version specifiers, `||` between alternatives. */
  readonly python?: string | undefined
  /** Python versions that the classifiers name, such as `3.9`. */
  readonly classifiers?: readonly string[] | undefined
  readonly runtime: readonly Requirement[]
  readonly build: readonly Requirement[]
  /** Extras, dependency groups and the like, by their written name. */
  readonly groups: ReadonlyMap<string, readonly Requirement[]>
  /** Normalised names that come from a path, not from an index. */
  readonly local: readonly string[]
}

export const noFacts: Facts = { runtime: [], build: [], groups: new Map(), local: [] }

const test = /^(unit[-_]?)?(tests?|testing|pytest|unittests?|unit)$/i
const developer = /^(dev|develop|development|dev-dependencies|ci|all)$/i

/** The groups that run the tests: those named after tests, else those for developers. */
export function testGroups(groups: ReadonlyMap<string, readonly Requirement[]>): readonly Requirement[] {
  const named = [...groups].filter(([name]) => test.test(name))
  const chosen = named.length > 0 ? named : [...groups].filter(([name]) => developer.test(name))
  return chosen.flatMap(([, requirements]) => requirements)
}

/** Groups of one name are one. */
export function mergeGroups(all: Iterable<readonly [string, readonly Requirement[]]>): Facts['groups'] {
  const groups = new Map<string, readonly Requirement[]>()
  for (const [name, requirements] of all)
    groups.set(name, uniqueRequirements([...(groups.get(name) ?? []), ...requirements]))
  return groups
}

export function mergeFacts(all: readonly Facts[]): Facts {
  return {
    name: all.find((facts) => facts.name !== undefined)?.name,
    python: all.find((facts) => facts.python !== undefined)?.python,
    classifiers: all.flatMap((facts) => facts.classifiers ?? []),
    runtime: all.flatMap((facts) => facts.runtime),
    build: all.flatMap((facts) => facts.build),
    groups: mergeGroups(all.flatMap((facts) => [...facts.groups])),
    local: all.flatMap((facts) => facts.local),
  }
}

const classifier = /^Programming Language :: Python :: (3\.\d+)$/

export function classifierVersions(classifiers: readonly string[]): readonly string[] {
  return classifiers.map((text) => classifier.exec(text.trim())?.[1]).filter((version) => version !== undefined)
}

/** Requirements such as `project[tests]` and `.[tests]` stand for extras of the project itself, or of one beside it. */
export function expandOwnExtras(
  requirements: readonly Requirement[],
  facts: Facts,
  beside: readonly Facts[],
): readonly Requirement[] {
  const done = new Set<readonly Requirement[]>()
  const expand = (requirement: Requirement, from: Facts): readonly Requirement[] => {
    const { name, extras } = requirement
    const owner = name === ownName ? from : [from, ...beside].find((project) => project.name === name)
    if (owner === undefined) return [requirement]
    return extras
      .slice(1, -1)
      .split(',')
      .flatMap((extra) => {
        const group = owner.groups.get(extra) ?? []
        if (done.has(group)) return []
        done.add(group)
        return group.flatMap((inner) => expand(inner, owner))
      })
  }
  return requirements.flatMap((requirement) => expand(requirement, facts))
}
