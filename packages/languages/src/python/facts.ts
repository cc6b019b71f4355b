import { ownName, type Requirement } from './requirement.ts'

/** What one manifest says about a project's dependencies. */
export interface Facts {
  /** Normalised name of the project itself. */
  readonly name?: string | undefined
  /** `requires-python`, a version specifier. */
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

export function mergeFacts(all: readonly Facts[]): Facts {
  const groups = new Map<string, Requirement[]>()
  for (const facts of all)
    for (const [name, requirements] of facts.groups) groups.set(name, [...(groups.get(name) ?? []), ...requirements])
  return {
    name: all.find((facts) => facts.name !== undefined)?.name,
    python: all.find((facts) => facts.python !== undefined)?.python,
    classifiers: all.flatMap((facts) => facts.classifiers ?? []),
    runtime: all.flatMap((facts) => facts.runtime),
    build: all.flatMap((facts) => facts.build),
    groups,
    local: all.flatMap((facts) => facts.local),
  }
}

const classifier = /^Programming Language :: Python :: (3\.\d+)$/

export function classifierVersions(classifiers: readonly string[]): readonly string[] {
  return classifiers.map((text) => classifier.exec(text.trim())?.[1]).filter((version) => version !== undefined)
}

/** Requirements such as `project[tests]` and `.[tests]` stand for the project's own extras. */
export function expandOwnExtras(requirements: readonly Requirement[], facts: Facts): readonly Requirement[] {
  const done = new Set<string>()
  const expand = (requirement: Requirement): readonly Requirement[] => {
    if (requirement.name !== facts.name && requirement.name !== ownName) return [requirement]
    const extras = requirement.extras.slice(1, -1).split(',').filter(Boolean)
    return extras.flatMap((extra) => {
      if (done.has(extra)) return []
      done.add(extra)
      return (facts.groups.get(extra) ?? []).flatMap(expand)
    })
  }
  return requirements.flatMap(expand)
}
