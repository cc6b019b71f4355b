import { expandOwnExtras } from './facts.ts'
import type { Project } from './project.ts'
import { type Requirement, uniqueRequirements } from './requirement.ts'

/** What projects that share an environment ask for; what they ask of each other comes from the tree. */
export interface Declared {
  readonly projects: readonly Project[]
  readonly runtime: readonly Requirement[]
  readonly test: readonly Requirement[]
  readonly constraints: readonly Requirement[]
}

export function declaredBy(projects: readonly Project[]): Declared {
  const beside = projects.map(({ facts }) => facts)
  const local = new Set(beside.flatMap((facts) => facts.local))
  const foreign = (key: 'runtime' | 'test' | 'constraints') => {
    const all = projects.flatMap((project) => expandOwnExtras(project[key], project.facts, beside))
    return uniqueRequirements(all).filter(({ name }) => !local.has(name))
  }
  return { projects, runtime: foreign('runtime'), test: foreign('test'), constraints: foreign('constraints') }
}
