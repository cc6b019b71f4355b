import type { Recipe, RecipeFile, RecipeStep } from '@r2e/spec'
import type { Project } from './project.ts'
import { formatRequirement, type Requirement } from './requirement.ts'
import { linkProject, makeVenv } from './scripts.ts'

export const venv = '/opt/venv'
const python = `${venv}/bin/python`
const pip = `${python} -m pip --no-input --disable-pip-version-check install --root-user-action=ignore --no-cache-dir`

/** One way to fill the environment. */
export interface Attempt {
  readonly requirements: readonly Requirement[]
  readonly constraints: readonly Requirement[]
  /** Whether projects are installed, not only linked. */
  readonly install: boolean
}

export type Installation = Pick<Recipe, 'files' | 'dependencies' | 'project'>

export function installation(attempt: Attempt, projects: readonly Project[]): Installation {
  const constrained = attempt.constraints.length > 0
  const installed = attempt.install ? projects.filter(({ backend }) => backend !== undefined) : []
  const parts = [editable(installed), linked(projects.filter((project) => !installed.includes(project)))]
  const files: RecipeFile[] = [
    { path: 'make_venv.py', text: makeVenv },
    { path: 'requirements.txt', text: lines(attempt.requirements) },
    ...(constrained ? [{ path: 'constraints.txt', text: lines(attempt.constraints) }] : []),
    ...parts.flatMap((part) => part.files),
  ]
  const dependencies: RecipeStep[] = [
    { run: `python3 /r2e/make_venv.py ${venv}`, network: true },
    { run: `${pip} -r /r2e/requirements.txt${constrained ? ' -c /r2e/constraints.txt' : ''}`, network: true },
  ]
  return { files, dependencies, project: parts.flatMap((part) => part.project) }
}

type Part = Pick<Installation, 'files' | 'project'>

/** One step for each kind of back end: their settings are not the same, and pip takes none for a single editable line. */
function editable(projects: readonly Project[]): Part {
  const kinds = [...Map.groupBy(projects, ({ backend }) => backend)]
  const steps = kinds.map(([backend, of], index) => ({
    path: index === 0 ? 'project.txt' : `project-${index + 1}.txt`,
    text: of.map(({ folder }) => `-e ./${folder}\n`).join(''),
    // Modules that a solution adds must be seen: setuptools else maps the packages of the base tree one by one.
    mode: backend === 'setuptools' ? ' --config-settings editable_mode=compat' : '',
  }))
  const install = `${pip} --no-index --no-build-isolation --no-deps --use-pep517`
  return {
    files: steps.map(({ path, text }) => ({ path, text })),
    project: steps.map(({ path, mode }) => ({ run: `${install}${mode} -r /r2e/${path}`, network: false })),
  }
}

function linked(projects: readonly Project[]): Part {
  if (projects.length === 0) return { files: [], project: [] }
  const folders = projects.map(({ folder }) => folder).filter((folder) => folder !== '')
  const listed = folders.map((folder) => `${folder}\n`).join('')
  return {
    files: [
      { path: 'link_project.py', text: linkProject },
      ...(folders.length > 0 ? [{ path: 'folders.txt', text: listed }] : []),
    ],
    project: [{ run: `${python} /r2e/link_project.py`, network: false }],
  }
}

/** Without pip: for a suite of the standard library alone. */
export function bareInstallation(projects: readonly Project[]): Installation {
  const { files, project } = linked(projects)
  return { files, dependencies: [{ run: `python3 -m venv --without-pip ${venv}`, network: false }], project }
}

function lines(requirements: readonly Requirement[]): string {
  return requirements.map((requirement) => `${formatRequirement(requirement)}\n`).join('')
}
