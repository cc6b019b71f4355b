import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { isIgnored, parseIgnoreRules } from './ignore-rules.ts'

const RULES = String.raw`# comment
*.log
!keep.log
/root.txt
build/
docs/*.md
a/**/z
**/deep
tail/**
[ab]?.c
[!x]y.c
\#literal
trailing\ 
file[.]txt
`
const PATHS = [
  ...['x.log', 'keep.log', 'sub/x.log', 'root.txt', 'sub/root.txt', 'build', 'build/x', 'sub/build/y', 'docs/a.md'],
  ...['docs/sub/a.md', 'a/z', 'a/b/z', 'a/b/c/z', 'deep', 'p/q/deep/r', 'tail/x', 'tail', 'a1.c', 'c1.c', 'xy.c'],
  ...['yy.c', '#literal', 'trailing ', 'file.txt', 'fileXtxt', 'build.txt', 'keep.log/x'],
]

it('agrees with git on every kind of rule', () => {
  const folder = mkdtempSync(join(tmpdir(), 'r2e-ignore-test-'))
  execFileSync('git', ['init', '-q', '--template=', folder])
  writeFileSync(join(folder, '.gitignore'), RULES)
  const rules = [parseIgnoreRules('', RULES)]
  const mine = PATHS.filter((path) => isIgnored(path, rules))
  const theirs = PATHS.filter((path) => {
    try {
      execFileSync('git', ['-C', folder, 'check-ignore', '-q', '--no-index', path], { stdio: 'pipe' })
      return true
    } catch {
      return false
    }
  })
  rmSync(folder, { recursive: true })
  expect(mine).toEqual(theirs)
})

it('neither throws nor hangs on hostile rules', () => {
  const stars = [6, 60, 400].map((count) => `${'*a'.repeat(count)}b\n`).join('')
  const rules = [parseIgnoreRules('', `[z-a]\n${stars}${'**/'.repeat(60)}x\n${' '.repeat(100_000)}x\n`)]
  const started = performance.now()
  expect(isIgnored('a'.repeat(250), rules)).toBe(false)
  expect(isIgnored(`${'a/'.repeat(100)}b`, rules)).toBe(false)
  expect(performance.now() - started).toBeLessThan(2000)
})
