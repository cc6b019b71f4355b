import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { editedFilePatch } from './edited-file-patch.ts'
import { lineChanges } from './line-hunks.ts'

const folder = mkdtempSync(join(tmpdir(), 'r2e-edited-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

function applied(path: string, before: string, after: string, modes = ['100644', '100644'] as const): string {
  writeFileSync(join(folder, path), before, { mode: 0o644 })
  const [oldMode, newMode] = modes
  const { patch } = editedFilePatch({ path, oldMode, newMode, before, after })
  execFileSync('git', ['apply', '--whitespace=nowarn', '-'], { cwd: folder, input: patch })
  return readFileSync(join(folder, path), 'utf8')
}

/** The same numbers each time. */
function random(seed: number) {
  let state = seed
  return (below: number) => {
    state = (Math.imul(state, 1103515245) + 12345) >>> 0
    return (state >>> 8) % below
  }
}

describe('the patch between two texts', () => {
  it('is a short one, as git writes it', () => {
    const before = 'a\nb\nc\nd\ne\nf\ng\nh\ni\nj\nk\n'
    const { patch, addedLines, deletedLines } = editedFilePatch({
      path: 'src/a b.rs',
      oldMode: '100644',
      newMode: '100644',
      before,
      after: before.replace('b\n', 'B\n').replace('k\n', 'k'),
    })
    expect(Buffer.from(patch).toString()).toMatchInlineSnapshot(`
      "diff --git a/src/a b.rs b/src/a b.rs
      --- a/src/a b.rs	
      +++ b/src/a b.rs	
      @@ -1,5 +1,5 @@
       a
      -b
      +B
       c
       d
       e
      @@ -8,4 +8,4 @@
       h
       i
       j
      -k
      +k
      \\ No newline at end of file
      "
    `)
    expect([addedLines, deletedLines]).toEqual([2, 2])
  })

  it('applies to give the other text exactly, whatever they are [J2]', () => {
    const next = random(7)
    const text = (lines: number) =>
      Array.from({ length: lines }, () => `${'xyz'[next(3)]}${next(4) === 0 ? '\r' : ''}\n`)
        .join('')
        .slice(0, next(3) === 0 ? -1 : undefined)
    for (let round = 0; round < 60; round++) {
      const before = text(1 + next(30))
      const after = round % 3 === 0 ? before + text(2) : text(1 + next(30))
      if (before === '' || after === '' || before === after) continue
      expect(applied('f', before, after)).toBe(after)
    }
  })

  it('carries a new file, a new mode and a name that git must quote', () => {
    expect(applied('größe "x"', 'a\n', 'b\n')).toBe('b\n')
    expect(applied('run', 'a\n', 'a\n', ['100644', '100755'])).toBe('a\n')
    expect(statSync(join(folder, 'run')).mode & 0o100).toBe(0o100)
    const { patch } = editedFilePatch({ path: 'new', oldMode: undefined, newMode: '100644', before: '', after: 'a\n' })
    execFileSync('git', ['apply', '-'], { cwd: folder, input: patch })
    expect(readFileSync(join(folder, 'new'), 'utf8')).toBe('a\n')
  })

  it('gives up on the shortest way where texts have little in common', () => {
    const lines = (word: string) => Array.from({ length: 5000 }, (_, at) => `${word}${at}`)
    expect(lineChanges(['same', ...lines('a')], ['same', ...lines('b')])).toEqual([
      { oldAt: 1, oldCount: 5000, newAt: 1, newCount: 5000 },
    ])
  })
})
