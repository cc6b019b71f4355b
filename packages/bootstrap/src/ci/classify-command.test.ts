import { describe, expect, it } from 'vitest'
import { classifyCommand, classifyName } from './classify-command.ts'
import { unwrapCommand } from './unwrap-command.ts'

const cases: readonly [line: string, kind: string, language?: string][] = [
  ['pytest -x tests', 'test', 'python'],
  ['python -m pytest', 'test', 'python'],
  ['python3.12 -W error -bbm unittest discover', 'test', 'python'],
  ['.venv/bin/pytest', 'test', 'python'],
  ['coverage run --branch -m pytest', 'test', 'python'],
  ['uv run --frozen --group dev pytest -q', 'test', 'python'],
  ['uvx --with tox-uv tox -e py312', 'test', 'python'],
  ['tox -e py', 'test', 'python'],
  ['tox run -e docs-doctests', 'other'],
  ['tox -e lint', 'other'],
  ['nox -s tests-3.12', 'test', 'python'],
  ['nox --session mypy', 'other'],
  ['poetry run python -m tox', 'test', 'python'],
  ['hatch run test', 'test', 'python'],
  ['invoke unit-tests --fast', 'test', 'python'],
  ['python manage.py test', 'test', 'python'],
  ['python setup.py test', 'test', 'python'],
  ['python runtests.py', 'test', 'python'],
  ['xvfb-run -a -s "-screen" pytest', 'test', 'python'],
  ['timeout 30m sudo -E env A=1 pytest', 'test', 'python'],
  ['pytest --version', 'other'],
  ['npm test', 'test', 'javascript'],
  ['npm run test:unit', 'test', 'javascript'],
  ['npm run test:types', 'other'],
  ['npm --prefix x test', 'test', 'javascript'],
  ['npm --prefix test ci', 'install', 'javascript'],
  ['yarn workspace a test', 'test', 'javascript'],
  ['yarn workspace test build', 'other'],
  ['nx run-many --target=test', 'test', 'javascript'],
  ['pnpm -r test', 'test', 'javascript'],
  ['yarn jest', 'test', 'javascript'],
  ['npx c8 ava', 'test', 'javascript'],
  ['pnpm vitest run', 'test', 'javascript'],
  ['node --test', 'test', 'javascript'],
  ['go test ./...', 'test', 'go'],
  ['gotestsum -- ./...', 'test', 'go'],
  ['cargo test --all-features', 'test', 'rust'],
  ['cargo +nightly nextest run', 'test', 'rust'],
  ['cargo miri test', 'other'],
  ['mvn -B verify --file pom.xml', 'test', 'java'],
  ['mvn -B', 'test', 'java'],
  ['mvn -B -f x/pom.xml', 'test', 'java'],
  ['mvn -DskipTests=false install', 'test', 'java'],
  ['./mvnw -DskipTests install', 'other'],
  ['./gradlew check', 'test', 'java'],
  ['./gradlew :lib:check --tests A', 'test', 'java'],
  ['./gradlew build -x test', 'other'],
  ['./gradlew assemble', 'other'],
  ['bundle exec rake', 'test', 'ruby'],
  ['bundle exec rspec', 'test', 'ruby'],
  ['rake', 'test', 'ruby'],
  ['ruby -I lib -Itest test/a.rb', 'test', 'ruby'],
  ['rake compile', 'other'],
  ['vendor/bin/phpunit -c x', 'test', 'php'],
  ['composer test', 'test', 'php'],
  ['dotnet test', 'test', 'csharp'],
  ['ctest --output-on-failure', 'test', 'cpp'],
  ['cmake --build build --target test', 'test', 'cpp'],
  ['cmake --build test', 'other'],
  ['ctest -N', 'other'],
  ['meson test -C b', 'test', 'cpp'],
  ['sudo apt-get install x', 'install'],
  ['python -m pip install -e .[test]', 'install', 'python'],
  ['uv sync --all-extras', 'install', 'python'],
  ['npm ci', 'install', 'javascript'],
  ['yarn', 'install', 'javascript'],
  ['bundle install', 'install', 'ruby'],
  ['composer install', 'install', 'php'],
  ['go mod download', 'install', 'go'],
  ['npm run build', 'other'],
  ['python setup.py build_ext --inplace', 'other'],
  ['python setup.py develop', 'install', 'python'],
  ['python -c test.py', 'other'],
  ['hatch run dev:test', 'test', 'python'],
  ['git submodule update --init', 'install'],
  ['constructor test', 'other'],
  ['go generate ./...', 'other'],
  ['ruff check .', 'other'],
  ['echo pytest', 'other'],
  ['', 'other'],
]

describe('what a command is for', () => {
  for (const [line, kind, language] of cases)
    it(`${line}: ${kind} ${language ?? ''}`, () => {
      const words = line.split(' ').map((word) => word.replaceAll('"', ''))
      expect(classifyCommand(unwrapCommand(words).words)).toEqual({ kind, ...(kind !== 'other' && { language }) })
    })

  it('keeps the variables that a wrapper sets', () =>
    expect(unwrapCommand(['sudo', 'A=1', 'env', '-u', 'X', 'B=2', 'make', 'C=3'])).toEqual({
      words: ['make', 'C=3'],
      env: { A: '1', B: '2' },
    }))

  const hostile: readonly string[] = [
    ...[
      'npm -x ',
      'npm --x -r ',
      'node --x ',
      'node - ',
      'mvn -x ',
      'mvn a.xml ',
      'mvn -f ',
      'cargo +x -x ',
      'rake x ',
    ],
    ...[
      'ruby -x lib ',
      'turbo x ',
      'gradle a:b: ',
      'tox -e ',
      'python -x ',
      'sudo A=1 ',
      'env ',
      'cmake --build ',
      'uv run ',
    ],
  ]
  for (const piece of hostile)
    it(`takes no time for 100 kB of ${piece}`, () => {
      const name = piece.split(' ')[0]!
      const lines = [piece.repeat(100_000 / piece.length), `${name} ${piece.trim().repeat(100_000 / piece.length)}`]
      for (const line of [...lines, `${name} ${'-'.repeat(100_000)}`, `${name} ${'a-'.repeat(50_000)}`]) {
        const words = line.split(' ')
        const started = performance.now()
        classifyCommand(unwrapCommand(words).words)
        expect(performance.now() - started).toBeLessThan(100)
      }
    })

  it('keeps names of objects apart from those of tools and variables', () => {
    expect(classifyCommand(['__proto__', 'test'])).toEqual({ kind: 'other' })
    expect(Object.keys(unwrapCommand(['env', '__proto__=1', 'a']).env)).toEqual(['__proto__'])
  })
})

describe('what a target is for', () => {
  const names: readonly [name: string, kind: string][] = [
    ['test', 'test'],
    ['unit-tests', 'test'],
    ['install_test_images', 'install'],
    ['ci', 'test'],
    ['test-docs', 'other'],
    ['build', 'other'],
  ]
  for (const [name, kind] of names) it(`${name}: ${kind}`, () => expect(classifyName(name)).toBe(kind))
})
