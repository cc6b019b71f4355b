import { readFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'

const root = dirname(dirname(fileURLToPath(import.meta.url)))

const bad = 'apps/cli/src/bad-input.test.ts'
const generate = 'apps/cli/src/commands/generate.test.ts'
const validate = 'packages/engine/src/validate/validate.test.ts'
const validateRuns = 'packages/engine/src/validate/validate-runs.test.ts'
const harbor = 'tests/harbor.test.ts'
const proof = 'tests/proof.test.ts'

/** What the earlier tool did wrong on the same work → the test that shows ours does not: file and title. */
const rows: Readonly<Record<string, readonly (readonly [what: string, file: string, title: string])[]>> = {
  'what a newcomer sees': [
    ['no command', bad, 'no command'],
    ['generate alone', bad, 'generate alone: every missing flag is named'],
    ['no --out', bad, 'no --out: the flag is named'],
    ['a model was compulsory', generate, 'mines a local repository without Docker, token or model'],
    ['an image that cannot be had', generate, 'names why no sandbox can run, before anything is opened or written'],
    ['pr_diff on a local repository', generate, 'mines a local repository without Docker, token or model'],
    ['a login to list requests', 'packages/source/src/git/pull-requests.test.ts', 'are listed without a limit'],
    ['an unknown pipeline', bad, 'an unknown pipeline'],
    ['a bad local path', generate, 'a folder that is no repository'],
    ['a missing configuration file', bad, 'a missing configuration file'],
    ['a misspelt section accepted in silence', bad, 'misspelt sections and keys, all at once, each with its place'],
    ['a misspelt option without suggestion', bad, 'a misspelt option in the file'],
    ['broken YAML without its file', bad, 'broken YAML'],
    ['an option of a section that raises', bad, 'an option of a section that does not exist'],
    ['a model without provider', bad, 'a model without provider'],
    ['pipelines describe', 'apps/cli/src/commands/pipelines.test.ts', 'describes options with type, default and text'],
    ['schema 1.3 rejected', validate, 'accepts version and schema_version alike'],
    ['a dataset without tasks', validate, 'finds no task in a folder without one, and in no folder'],
    ['a task of others', validate, 'only warns where the repo2env table is missing'],
    [
      'no reward command',
      'apps/cli/src/commands/reward.test.ts',
      'prints the score of a patch from a file or from standard input',
    ],
    ['no init', 'apps/cli/src/commands/init.test.ts', 'writes a sample that parses strictly as it stands'],
    ['no doctor', 'apps/cli/src/commands/doctor.test.ts', 'says of everything whether it is there'],
    ['no --dry-run', generate, 'writes nothing in a dry run, and lists what it would try'],
  ],
  'commit_runtime end to end': [
    ['a suite that fails is called fine', proof, 'is never made of a command that runs no tests'],
    [
      'most commits lost without a reason',
      'packages/pipeline-commit-runtime/src/commit-runtime.test.ts',
      'gives every commit a draft or its reason, newest first',
    ],
    [
      'a local clone gives nothing',
      'packages/source/src/git/local-mirror.test.ts',
      'opens as a work tree, a bare repository, a linked work tree and through a link',
    ],
    ['no way to give a test command', proof, 'keeps the words of the test command as arguments'],
    ['1.0 for an untouched repository', proof, 'is never made of a command that runs no tests'],
    ['the image of other options', 'packages/bootstrap/src/recipe-builder.test.ts', '[I1 W15]'],
    [
      'one broken file spoils the run',
      'packages/grader/src/grade.test.ts',
      'survives a broken test file beside a good one',
    ],
    ['pass-to-pass cut by name', 'packages/reward/src/tests/limit-pass-to-pass.test.ts', '[B16'],
    ['an address of an author in the task', proof, 'nor a person in any text of its metadata'],
    ['no-op and oracle never tried', harbor, 'every kind of task scores 1 with its oracle and 0 without'],
    ['an image that cannot be built', validateRuns, 'reports an image that cannot be built, once'],
    [
      'byte code of the fix left in the image',
      'packages/engine/src/render/render-task.test.ts',
      'orders its layers so that no source of the project comes before the snapshot',
    ],
    [
      '3,296 commits and the future readable',
      'packages/engine/src/render/image.test.ts',
      'holds one commit, its trees and blobs, and nothing else',
    ],
    ['a partial clone', 'packages/source/src/git/local-mirror.test.ts', 'is refused as a partial clone'],
    ['no resume', 'tests/crash.test.ts', 'ends with the bytes of an undisturbed one'],
  ],
  'tampering with an emitted task': [
    ['a hook that passes every call', harbor, 'a hook in conftest.py that marks every call as passed'],
    ['a printed PASSED line', harbor, 'a conftest.py that prints a PASSED line at exit'],
    ['an exit of 0', harbor, 'a conftest.py that exits 0 at once'],
    ['the same plus one byte', harbor, 'a conftest.py that prints a byte that is no UTF-8 and exits 0'],
    ['a background loop', harbor, 'a background loop that rewrites the rewards'],
    ['a configuration of the runner', harbor, 'a pytest.ini that selects nothing that fails'],
  ],
  'what validation let through': [
    ['the Dockerfile deleted', validate, 'the Dockerfile is gone'],
    ['a compose file instead', validate, 'a compose file stands for the Dockerfile'],
    ['test.sh replaced', validate, 'test.sh does nothing'],
    ['pass-to-pass emptied', validate, 'pass-to-pass is emptied'],
    ['the content hash falsified', validate, 'the content hash is false'],
    ['the instruction edited', validate, 'the instruction is edited'],
    ['an unrelated solution', validate, 'the solution touches another file'],
    ['no test command', validate, 'there is no test command'],
    ['an image that cannot be built', validateRuns, 'reports an image that cannot be built, once'],
  ],
}

for (const [part, claims] of Object.entries(rows))
  it(`every weakness of the earlier tool has a test that ours does not share: ${part}`, async () => {
    const found = await Promise.all(
      claims.map(async ([, file, title]) => (await readFile(join(root, file), 'utf8')).includes(title)),
    )
    expect(claims.filter((_, i) => !found[i])).toEqual([])
  })
