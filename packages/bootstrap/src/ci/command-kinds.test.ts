import { describe, expect, it } from 'vitest'
import { classifyCommand } from './classify-command.ts'
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
  ['npm --prefix x test', 'other'],
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
  ['./mvnw -DskipTests install', 'build', 'java'],
  ['./gradlew check', 'test', 'java'],
  ['./gradlew assemble', 'build', 'java'],
  ['bundle exec rake', 'test', 'ruby'],
  ['bundle exec rspec', 'test', 'ruby'],
  ['rake compile', 'build', 'ruby'],
  ['vendor/bin/phpunit -c x', 'test', 'php'],
  ['composer test', 'test', 'php'],
  ['dotnet test', 'test', 'csharp'],
  ['ctest --output-on-failure', 'test', 'cpp'],
  ['cmake --build build --target test', 'test', 'cpp'],
  ['cmake --build build', 'build', 'cpp'],
  ['meson test -C b', 'test', 'cpp'],
  ['sudo apt-get install x', 'install'],
  ['python -m pip install -e .[test]', 'install', 'python'],
  ['uv sync --all-extras', 'install', 'python'],
  ['npm ci', 'install', 'javascript'],
  ['yarn', 'install', 'javascript'],
  ['bundle install', 'install', 'ruby'],
  ['composer install', 'install', 'php'],
  ['go mod download', 'install', 'go'],
  ['npm run build', 'build', 'javascript'],
  ['npm run build:docs', 'other'],
  ['pnpm build', 'build', 'javascript'],
  ['yarn run compile', 'build', 'javascript'],
  ['python setup.py build_ext --inplace', 'build', 'python'],
  ['go generate ./...', 'build', 'go'],
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

  it('takes linear time', () => {
    const started = Date.now()
    for (const piece of ['npm -x ', 'ruby -x ', 'sudo ', 'python -x ', 'tox -e ', 'cargo ', 'mvn -x '])
      classifyCommand(unwrapCommand(piece.repeat(5000).split(' ')).words)
    expect(Date.now() - started).toBeLessThan(2000)
  })
})
