import { execFileSync, spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import type { FileEntry } from '@r2e/spec'
import { buildRepository } from '@r2e/testing'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { RECIPE, taskInput } from './__fixtures__/task-input.ts'
import { ODD_PATH, treeOf } from './__fixtures__/tree-of.ts'
import { renderTask } from './render-task.ts'
import { snapshotTree } from './snapshot.ts'
import type { Snapshot } from './task-input.ts'

const root = mkdtempSync(join(tmpdir(), 'r2e-image-test-'))
const image = `r2e-image-test:${process.pid}`
const docker = (...args: string[]) => execFileSync('docker', args, { encoding: 'utf8', stdio: 'pipe' })
const answers = spawnSync('docker', ['image', 'inspect', RECIPE.baseImage]).status === 0
const reference = RECIPE.env.PATH!.slice(-7)
let snapshot: Snapshot

afterAll(() => {
  rmSync(root, { recursive: true, force: true })
  if (answers) docker('rmi', '-f', image)
})

describe.skipIf(!answers && process.env.R2E_REQUIRE_DOCKER !== '1')(
  `the image of a rendered task (needs docker and ${RECIPE.baseImage})`,
  () => {
    beforeAll(async () => {
      const { directory, commits } = await buildRepository(join(root, 'repository'), [
        {
          commit: 'base',
          files: {
            '.gitattributes': '*.txt text eol=crlf filter=evil\n',
            '.gitignore': 'kept.txt\n',
            'kept.txt': 'one\r\n',
            'inner/.git-not': 'x\n',
            [ODD_PATH]: 'bytes\n',
            link: { link: '/etc/passwd' },
            'run.sh': { content: 'true\n', mode: '100755' },
            vendor: { submodule: '1'.repeat(40) },
          },
        },
      ])
      snapshot = await snapshotTree(treeOf(directory, commits[0]!), [])
      const recipe = {
        ...RECIPE,
        system: [],
        env: { SIX: 'a "b" \\ $HOME $(id)', SEVEN: `${reference}:/x` },
        dependencies: [{ run: 'test -f /r2e/requirements.txt', network: true }],
      }
      build(renderTask(taskInput({ recipe, snapshot, versionTag: 'v1.0' })))
    })

    const inside = (command: string) => docker('run', '--rm', '--network', 'none', image, 'sh', '-c', command).trimEnd()

    it('holds one commit, its trees and blobs, and nothing else that git could find [E1 W1]', () => {
      const kinds = inside("git cat-file --batch-all-objects --batch-check='%(objecttype)' | sort | uniq -c")
      expect(kinds.split('\n').map((line) => line.trim())).toEqual(['7 blob', '1 commit', '2 tree'])
      expect(
        inside(
          'git fsck --unreachable --no-reflogs; git remote; git stash list; ls .git/hooks .git/logs 2>/dev/null; true',
        ),
      ).toBe('')
      expect(inside('git log --format="%an %ae %ad %s" --date=iso')).toBe(
        'r2e r2e@localhost 2000-01-01 00:00:00 +0000 Base',
      )
    })

    it('has exactly the tree of the snapshot, and a clean status [E10]', () => {
      expect(inside('git rev-parse HEAD^{tree}')).toBe(snapshot.tree)
      expect(inside('git status --porcelain --ignored')).toBe('')
      expect(inside('git describe --tags')).toBe('v1.0')
      expect(inside('ls -A vendor | wc -l; readlink link; od -c kept.txt | head -1')).toContain('\\r  \\n')
    })

    it('keeps no archive, and variables as they were written', () => {
      expect(inside('ls -A /r2e')).toBe('requirements.txt')
      expect(inside('printf "%s|%s" "$SIX" "$SEVEN"')).toMatch(/^a "b" \\ \$HOME \$\(id\)\|\/.*bin:\/x$/)
    })

    it('marks the tree safe for every user, and stops at once [I5]', () => {
      expect(docker('run', '--rm', '-u', '12345', image, 'git', 'rev-parse', 'HEAD^{tree}').trim()).toBe(snapshot.tree)
      const [config] = JSON.parse(docker('image', 'inspect', image))
      expect(config.Config).toMatchObject({ StopSignal: 'SIGKILL', WorkingDir: '/app' })
      expect(config.Config.Entrypoint ?? []).toEqual([])
    })
  },
)

function build(files: readonly FileEntry[]): void {
  const context = join(root, 'context')
  for (const file of files.filter(({ path }) => path.startsWith('environment/'))) {
    const place = join(context, file.path.slice('environment/'.length))
    mkdirSync(dirname(place), { recursive: true })
    writeFileSync(place, file.content)
  }
  docker('build', '-q', '-t', image, context)
}
