import type { Manifests } from '../manifests.ts'
import { folderOf, shallowFirst } from '../path.ts'
import { pathPattern } from '../path-pattern.ts'
import { type Project, readProject } from './project.ts'
import { testModules } from './suite.ts'

/**
 * What may share an environment, in order of promise: the projects that hold tests and those of the repository that they
 * name, outermost first; then only the one with the most tests, what lies above it and what they name, as the others may
 * disagree.
 */
export async function projectGroups(manifests: Manifests): Promise<readonly (readonly Project[])[]> {
  const folders = projectFolders(manifests)
  const found = await projectsIn(manifests, folders)
  const all = found.length > 0 ? found : [await readProject(manifests, '')]
  const tests = Map.groupBy(testModules(manifests.paths), (path) =>
    folders.findLast((folder) => isInside(path, folder)),
  )
  const together = testedProjects(all, new Set(tests.keys()))
  const count = ({ folder }: Project) => tests.get(folder)?.length ?? 0
  const largest = together.reduce((best, project) => (count(project) > count(best) ? project : best))
  const around = together.filter((project) => project === largest || isInside(largest.folder, project.folder))
  const alone = withNamed(around, all)
  return alone.length === together.length ? [together] : [together, alone]
}

const projectFile = /(^|\/)(pyproject\.toml|setup\.py|setup\.cfg|requirements\.txt|Pipfile)$/
const aside = /(^|\/)(tests?|docs?|examples?|vendor|third_party|node_modules|\.[^/]+)\//i
/** More do not fit into one environment. */
const most = 200

function projectFolders(manifests: Manifests): string[] {
  const folders = manifests.paths
    .filter((path) => projectFile.test(path) && !aside.test(path))
    .map(folderOf)
    .filter((folder) => !/[\s\\#;"'${}[\]]/.test(folder))
  return [...new Set(folders)].sort(shallowFirst).slice(0, most)
}

/** The outermost ones and the members of their workspaces; below one that declares nothing of its own, every one. */
async function projectsIn(manifests: Manifests, folders: readonly string[]): Promise<Project[]> {
  const outermost = folders.filter((folder) => !folders.some((other) => other !== folder && isInside(folder, other)))
  const found: Project[] = []
  for (const folder of outermost) {
    const project = await readProject(manifests, folder)
    const below = folders.filter((other) => other !== folder && isInside(other, folder))
    const members = below.filter((other) => isMember(other, project))
    found.push(project, ...(await Promise.all(members.map((member) => readProject(manifests, member)))))
    const isEmpty = project.backend === undefined && project.runtime.length === 0
    if (isEmpty && project.workspace === undefined) found.push(...(await projectsIn(manifests, below)))
  }
  return found.sort((a, b) => shallowFirst(a.folder, b.folder))
}

function isMember(folder: string, { folder: root, workspace }: Project): boolean {
  const path = root === '' ? folder : folder.slice(root.length + 1)
  const matches = (pattern: string) => pathPattern(pattern)(path)
  return workspace?.members.some(matches) === true && !workspace.exclude.some(matches)
}

/** All, where tests lie beside the projects and so may use any of them. */
function testedProjects(all: readonly Project[], holders: ReadonlySet<string | undefined>): readonly Project[] {
  const isAbove = (project: Project) => all.some((other) => other !== project && isInside(other.folder, project.folder))
  const isCollection = (project: Project) => project.backend === undefined && isAbove(project)
  if (holders.has(undefined) || all.some((project) => isCollection(project) && holders.has(project.folder))) return all
  const start = all.filter((project) => isAbove(project) || holders.has(project.folder))
  const chosen = withNamed(start, all)
  return chosen.every(isCollection) ? all : chosen
}

function withNamed(start: readonly Project[], all: readonly Project[]): readonly Project[] {
  const chosen = new Set(start)
  for (const { mentioned } of chosen)
    for (const other of all) if (other.facts.name !== undefined && mentioned.has(other.facts.name)) chosen.add(other)
  return all.filter((project) => chosen.has(project))
}

function isInside(path: string, folder: string): boolean {
  return folder === '' || path.startsWith(`${folder}/`)
}
