import { execFileSync, spawnSync } from 'node:child_process'
import { chmodSync, copyFileSync, mkdtempSync, rmSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterEach, describe, expect, it } from 'vitest'
import { type Files, writeFiles } from './__fixtures__/make-task.ts'

const files = fileURLToPath(new URL('../files/', import.meta.url))
const hasMake = spawnSync('make', ['--version']).status === 0

const roots: string[] = []
afterEach(() => {
  for (const root of roots.splice(0)) rmSync(root, { recursive: true, force: true })
})

const rule = (head: string) => `test: t\n\t./t\n${head}\n\trm -f t && cp t.sh t && chmod +x t\n`
const failing = { Makefile: rule('t: t.sh'), 't.sh': '#!/bin/sh\nexit 1\n' }

/** What `make test` comes to in a tree with these files committed, after somebody has left something beside them. */
async function outcome(committed: Files, leave: (tree: string, commit: () => void) => void): Promise<unknown> {
  const root = mkdtempSync(join(tmpdir(), 'r2e-make-'))
  roots.push(root)
  const tree = join(root, 'tree')
  const git = (...words: string[]) =>
    execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@b', ...words], { cwd: tree })
  const commit = () => {
    git('add', '-Af')
    git('commit', '-qm', 'x')
  }
  await writeFiles(tree, committed)
  git('init', '-q')
  commit()
  leave(tree, commit)
  const [out, build] = [join(root, 'report.jsonl'), join(root, 'build')]
  const words = ['--out', out, '--source', '.', '--build', build, '--target', 'test']
  spawnSync('python3', ['-I', join(files, 'reporters/make_tests.py'), ...words], { cwd: tree })
  const parsed = execFileSync('python3', ['-I', join(files, 'grade.py'), 'parse', 'events-jsonl', out])
  return JSON.parse(parsed.toString()).tests['make::test']
}

const future = new Date(Date.now() + 86_400_000)
function script(tree: string): void {
  writeFileSync(join(tree, 't'), '#!/bin/sh\nexit 0\n')
  chmodSync(join(tree, 't'), 0o755)
  utimesSync(join(tree, 't'), future, future)
}
function program(tree: string): void {
  copyFileSync('/bin/true', join(tree, 't'))
  utimesSync(join(tree, 't'), future, future)
}

describe.skipIf(!hasMake)(`the reporter of make${hasMake ? '' : ' (no make here)'}`, () => {
  it('builds and runs', async () => {
    expect(await outcome({ ...failing, 't.sh': '#!/bin/sh\n' }, () => {})).toBe('PASSED')
    expect(await outcome(failing, () => {})).toBe('FAILED')
  })

  for (const [title, leave] of [
    ['a script of the name of a program, dated in the future', script],
    ['a program, dated in the future', program],
    [
      'a link to a program outside of the tree',
      (tree: string) => {
        writeFileSync(join(tree, '../true'), '#!/bin/sh\n')
        chmodSync(join(tree, '../true'), 0o755)
        utimesSync(join(tree, '../true'), future, future)
        symlinkSync('../true', join(tree, 't'))
      },
    ],
    [
      'a program that was committed',
      (tree: string, commit: () => void) => {
        program(tree)
        commit()
      },
    ],
    [
      'a script beside a new test, where no repository is left',
      (tree: string) => {
        script(tree)
        rmSync(join(tree, '.git'), { recursive: true })
      },
    ],
  ] as const)
    it(`does not run what was built before: ${title} [X7]`, async () => {
      expect(await outcome(failing, leave)).toBe('FAILED')
    })

  it('does not run a program that was built before by a rule that names no source [X7]', async () => {
    expect(await outcome({ ...failing, Makefile: rule('t:') }, program)).toBe('FAILED')
  })

  it('leaves generated files that the project keeps as they are, whatever their dates', async () => {
    const kept = {
      Makefile: 'test: kept\n\tgrep -q good kept\nkept: kept.in\n\tfalse\n',
      kept: 'good\n',
      'kept.in': '',
    }
    const touch = (tree: string) => utimesSync(join(tree, 'kept.in'), future, future)
    expect(await outcome(kept, touch)).toBe('PASSED')
  })
})
