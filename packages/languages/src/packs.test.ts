import { describe, expect, it } from 'vitest'
import { csharpPack, goPack, javaPack, languagePacks, packFor, pythonPack } from './index.ts'

describe('language packs', () => {
  it('are found by name and usual alias', () => {
    expect(packFor('Golang')).toBe(goPack)
    expect(packFor('py')).toBe(pythonPack)
    expect(packFor('Kotlin')).toBe(javaPack)
    expect(packFor('C#')).toBe(csharpPack)
  })

  it('name themselves where a language is unknown', () => {
    expect(() => packFor('constructor')).toThrow('there is no language "constructor"')
  })

  it('have distinct runner names', () => {
    const names = languagePacks.flatMap((pack) => pack.runners.map((runner) => runner.name))
    expect(new Set(names).size).toBe(names.length)
  })

  it('purge every file that steers their runner, and restore no file that a solution owns [F3 W8]', () => {
    for (const pack of languagePacks)
      for (const name of pack.runnerFiles) if (name !== 'pyproject.toml') expect(pack.purge.names).toContain(name)
    expect(goPack.runnerFiles).not.toContain('go.mod')
    expect(javaPack.runnerFiles).not.toContain('pom.xml')
  })
})

const rows: readonly [title: string, paths: string[], heavier: 'csharp' | 'go' | 'java' | 'python'][] = [
  [
    'a Python project with front-end files',
    ['pyproject.toml', 'package.json', 'a.py', ...many('web/x', '.js', 20)],
    'python',
  ],
  [
    'a Go project with scripts',
    ['go.mod', 'go.sum', ...many('x', '.go', 20), 'scripts/a.py', 'requirements.txt'],
    'go',
  ],
  ['a Python project with one generated Go file', ['setup.py', 'gen/a.go', ...many('p/x', '.py', 9)], 'python'],
  [
    'a Maven project with scripts',
    ['pom.xml', ...many('src/main/java/X', '.java', 20), ...many('scripts/x', '.py', 6), 'requirements.txt'],
    'java',
  ],
  [
    'a Kotlin project',
    ['build.gradle.kts', 'settings.gradle.kts', ...many('app/src/X', '.kt', 9), 'tool/a.go'],
    'java',
  ],
  ['a C# project', ['Shop.sln', 'src/Shop/Shop.csproj', ...many('src/Shop/X', '.cs', 9), 'build.py'], 'csharp'],
  ['vendored code counts for nothing', ['go.mod', 'a.go', ...many('node_modules/x', '.py', 50)], 'go'],
]

function many(stem: string, ending: string, count: number): string[] {
  return Array.from({ length: count }, (_, index) => `${stem}${index}${ending}`)
}

describe('the weight of a language', () => {
  for (const [title, paths, heavier] of rows)
    it(`is right for: ${title}`, () => {
      const others = languagePacks.filter(({ name }) => name !== heavier).map((pack) => pack.detect(paths))
      expect(packFor(heavier).detect(paths)).toBeGreaterThan(Math.max(...others))
    })

  it('is zero where it is absent', () => {
    expect(goPack.detect(['a.py', 'go.sum.bak'])).toBe(0)
    expect(pythonPack.detect(['pyproject.toml', 'docs/conf.py'])).toBe(0)
    expect(javaPack.detect(['pom.xml', 'a.js'])).toBe(0)
    expect(csharpPack.detect(['a.css', 'a.csv'])).toBe(0)
  })
})
