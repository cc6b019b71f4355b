import { describe, expect, it } from 'vitest'
import { goPack, languagePacks, packFor, phpPack, pythonPack, rubyPack } from './index.ts'

describe('language packs', () => {
  it('are found by name and usual alias', () => {
    expect(packFor('Golang')).toBe(goPack)
    expect(packFor('py')).toBe(pythonPack)
    expect(packFor('rb')).toBe(rubyPack)
    expect(packFor('PHP')).toBe(phpPack)
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
  })
})

const rows: readonly [title: string, paths: string[], heavier: string, lighter: string][] = [
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
    'python',
  ],
  ['a Python project with one generated Go file', ['setup.py', 'gen/a.go', ...many('p/x', '.py', 9)], 'python', 'go'],
  ['vendored code counts for nothing', ['go.mod', 'a.go', ...many('node_modules/x', '.py', 50)], 'go', 'python'],
  ['a gem with a Python script', ['Gemfile', ...many('lib/x', '.rb', 5), 'tools/a.py'], 'ruby', 'python'],
  ['a PHP library with Ruby tools', ['composer.json', ...many('src/x', '.php', 5), 'Rakefile', 'a.rb'], 'php', 'ruby'],
]

function many(stem: string, ending: string, count: number): string[] {
  return Array.from({ length: count }, (_, index) => `${stem}${index}${ending}`)
}

describe('the weight of a language', () => {
  for (const [title, paths, heavier, lighter] of rows)
    it(`is right for: ${title}`, () =>
      expect(packFor(heavier).detect(paths)).toBeGreaterThan(packFor(lighter).detect(paths)))

  it('is zero where it is absent', () => {
    expect(goPack.detect(['a.py', 'go.sum.bak'])).toBe(0)
    expect(pythonPack.detect(['pyproject.toml', 'docs/conf.py'])).toBe(0)
    expect(rubyPack.detect(['Gemfile', 'vendor/a.rb'])).toBe(0)
    expect(phpPack.detect(['composer.json', 'vendor/a.php'])).toBe(0)
  })
})
