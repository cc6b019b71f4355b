import { encodeUtf8, type FileEntry, type FileMode, R2eError } from '@r2e/spec'
import { dependencyPath, renderDockerfile, usableTag } from './dockerfile.ts'
import { BASE_ARCHIVE, TAG_FILE } from './dockerfile-steps.ts'
import { sortByPath } from './path-order.ts'
import { SOLVE_SCRIPT } from './solve-script.ts'
import type { TaskInput } from './task-input.ts'
import { renderTaskToml } from './task-toml.ts'
import { renderTests } from './tests-folder.ts'

/** The files of one task directory, sorted by path. Pure: equal inputs give equal bytes. */
export function renderTask(input: TaskInput): readonly FileEntry[] {
  const instruction = `${input.draft.instruction.trimEnd()}\n`
  return sortByPath([
    textFile('task.toml', renderTaskToml(input, instruction)),
    textFile('instruction.md', instruction),
    { path: 'solution/patch.diff', mode: '100644', content: input.draft.solution },
    textFile('solution/solve.sh', SOLVE_SCRIPT, '100755'),
    ...renderEnvironment(input),
    ...renderTests(input),
  ])
}

/** The files below environment/, which are a task's whole build context. */
function renderEnvironment({ recipe, snapshot, versionTag }: TaskInput): FileEntry[] {
  if (!recipe) return []
  if (!snapshot) throw new R2eError('snapshot_missing', 'bug', 'a task with an environment needs a snapshot')
  const tag = usableTag(versionTag) ? [textFile(`environment/${TAG_FILE}`, `${versionTag}\n`)] : []
  return [
    textFile('environment/Dockerfile', renderDockerfile(recipe, { versionTag })),
    { path: `environment/${BASE_ARCHIVE}`, mode: '100644', content: snapshot.archive },
    ...recipe.files.map((file) => textFile(dependencyPath(file.path), file.text)),
    ...tag,
  ]
}

function textFile(path: string, text: string, mode: FileMode = '100644'): FileEntry {
  return { path, mode, content: encodeUtf8(text) }
}
