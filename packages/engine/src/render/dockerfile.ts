import { type Recipe, type RecipeStep, userError } from '@r2e/spec'
import { BASE_ARCHIVE, SNAPSHOT_STEP, systemStep, TAG_FILE } from './dockerfile-steps.ts'
import { isSafePath } from './path-order.ts'
import { WORK_TREE } from './task-input.ts'

/**
 * `environment/Dockerfile`. Tasks of one recipe share every layer up to the snapshot. Nothing that came from a
 * repository stands in a RUN line: manifests go through `deps/`, a tag through a file.
 * @throws R2eError `recipe_invalid` (fault user) for a recipe that a Dockerfile cannot hold.
 */
export function renderDockerfile(recipe: Recipe, options: { readonly versionTag?: string | undefined } = {}): string {
  const lines = [
    `FROM ${checked('base image', recipe.baseImage, /^[\w][\w.:/@-]*$/)}`,
    'USER root',
    `RUN ${systemStep(recipe.system.map((name) => checked('system package', name, /^[a-z0-9][a-z0-9+.:=~-]*$/)))}`,
    ...Object.entries(recipe.env).map(environmentLine),
    `WORKDIR ${WORK_TREE}`,
    ...(recipe.files.length > 0 ? ['COPY deps/ /r2e/'] : []),
    ...recipe.dependencies.map(stepLine),
    ...recipe.setup.map(stepLine),
    `COPY ${BASE_ARCHIVE} ${usableTag(options.versionTag) ? `${TAG_FILE} ` : ''}/r2e/`,
    `RUN ${SNAPSHOT_STEP}`,
    ...recipe.project.map(stepLine),
    'STOPSIGNAL SIGKILL',
    'ENTRYPOINT []',
  ]
  return `${lines.join('\n')}\n`
}

/** A tag that is certain to be a valid ref name; others are not recreated. */
export function usableTag(tag: string | undefined): tag is string {
  return tag !== undefined && /^[A-Za-z0-9][A-Za-z0-9._+/-]*$/.test(tag) && !/\.\.|\/[./]|[./]$|\.lock(\/|$)/.test(tag)
}

/** The path of a recipe file below environment/. */
export function dependencyPath(path: string): string {
  if (!isSafePath(path)) throw invalid('file', path)
  return `environment/deps/${path}`
}

function environmentLine([name, value]: [string, string]): string {
  checked('variable', name, /^[A-Za-z_][A-Za-z0-9_]*$/)
  checked(`value of ${name}`, value, /^[^\n\r\0]*$/)
  return `ENV ${name}="${value.replace(/[\\"]/g, '\\$&').replace(/\$(?!\{[A-Za-z_])/g, '\\$')}"`
}

function stepLine(step: RecipeStep): string {
  const command = checked('step', step.run, /^(?!\s|--|\[)[^\n\r\0]*[^\n\r\0\\]$/)
  if (/<<-?\s*['"\w]/.test(command)) throw invalid('step', command)
  return `RUN ${step.optional ? `( ${command} ) || true` : command}`
}

function checked(what: string, value: string, pattern: RegExp): string {
  if (!pattern.test(value)) throw invalid(what, value)
  return value
}

function invalid(what: string, value: string): Error {
  return userError('recipe_invalid', `${what} ${JSON.stringify(value)} cannot stand in a Dockerfile`, {
    fix: 'Write it as one line, without a here-document.',
  })
}
