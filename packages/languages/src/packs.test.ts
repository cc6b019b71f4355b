import { describe, expect, it } from 'vitest'
import {
  cppPack,
  csharpPack,
  goPack,
  javaPack,
  languagePacks,
  packFor,
  phpPack,
  pythonPack,
  rubyPack,
} from './index.ts'

describe('language packs', () => {
  it('are found by name and usual alias', () => {
    expect(packFor('Golang')).toBe(goPack)
    expect(packFor('py')).toBe(pythonPack)
    for (const name of ['C', 'c++', 'cxx', 'cpp']) expect(packFor(name)).toBe(cppPack)
    expect(packFor('rb')).toBe(rubyPack)
    expect(packFor('PHP')).toBe(phpPack)
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

const rows: readonly [title: string, paths: string[], heavier: string][] = [
  [
    'a C++ project with Python scripts',
    ['CMakeLists.txt', ...many('src/x', '.cc', 9), ...many('include/x', '.hh', 9), ...many('tools/x', '.py', 5)],
    'cpp',
  ],
  [
    'a Python project with an extension in C',
    ['pyproject.toml', 'setup.py', ...many('p/x', '.py', 9), 'src/x.c', 'src/x.h'],
    'python',
  ],
  ['a Go project with a piece of C', ['go.mod', 'go.sum', ...many('x', '.go', 9), 'x.c', 'x.h', 'Makefile'], 'go'],
  [
    'a Python project with front-end files',
    ['pyproject.toml', 'package.json', 'a.py', ...many('web/x', '.js', 20)],
    'python',
    'go',
  ],
  [
    'a Go project with scripts',
    ['go.mod', 'go.sum', ...many('x', '.go', 20), 'scripts/a.py', 'requirements.txt'],
    'go',
  ],
  ['a Python project with one generated Go file', ['setup.py', 'gen/a.go', ...many('p/x', '.py', 9)], 'python'],
  ['vendored code counts for nothing', ['go.mod', 'a.go', ...many('node_modules/x', '.py', 50)], 'go'],
  ['a gem with a Python script', ['Gemfile', ...many('lib/x', '.rb', 5), 'tools/a.py'], 'ruby'],
  ['a PHP library with Ruby tools', ['composer.json', ...many('src/x', '.php', 5), 'Rakefile', 'a.rb'], 'php'],
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
    expect(cppPack.detect(['CMakeLists.txt', 'third_party/x/a.c', 'a.py'])).toBe(0)
    expect(rubyPack.detect(['Gemfile', 'vendor/a.rb'])).toBe(0)
    expect(phpPack.detect(['composer.json', 'vendor/a.php'])).toBe(0)
    expect(javaPack.detect(['pom.xml', 'a.js'])).toBe(0)
    expect(csharpPack.detect(['a.css', 'a.csv'])).toBe(0)
  })
})
