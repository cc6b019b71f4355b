import type { FileRole, LanguagePack } from '@r2e/spec'
import { describe, expect, it } from 'vitest'
import { pathRole } from './path-role.ts'

const PATHS: Readonly<Record<FileRole, readonly string[]>> = {
  test: [
    'tests/test_a.py',
    'Tests/helper.py',
    'pkg/a_test.go',
    'src/__tests__/a.tsx',
    'src/a.test.mjs',
    'src/a.spec.cts',
    'spec/models/user_spec.rb',
    'src/test/java/org/ATest.java',
    'src/test/resources/data.xml',
    'lib/UserTest.php',
    'Foo.Tests/BarTests.cs',
    'a_test.cc',
    'conftest.py',
    'src/conftest.py',
    'tests/fixtures/a b.json',
    'e2e/login.ts',
    'src/__snapshots__/a.ts.snap',
    'internal/testdata/x.golden',
    'crates/a/tests/it.rs',
    'src/androidTest/A.kt',
  ],
  docs: [
    'docs/testing.md',
    'doc/tests/test_a.py',
    'examples/test_app.py',
    'Documentation/spec/a.rst',
    'README.md',
    'CHANGES.rst',
    'LICENSE',
  ],
  ci: [
    '.github/workflows/test.yml',
    '.gitlab-ci.yml',
    '.circleci/config.yml',
    'azure-pipelines.yml',
    'Jenkinsfile',
    '.travis.yml',
    '.buildkite/pipeline.yml',
    '.woodpecker/test.yml',
    '.woodpecker.yml',
    '.forgejo/workflows/a.yml',
    '.gitea/workflows/a.yml',
    '.drone.yml',
    'bitbucket-pipelines.yml',
    '.appveyor.yml',
    '.cirrus.yml',
    '.builds/debian.yml',
  ],
  source: [
    'src/click/testing.py',
    'src/latest.java',
    'contest.py',
    'lib/attest.rb',
    'src/protest/march.go',
    'src/test.py.in.py',
    'special/a.ts',
  ],
  other: ['pyproject.toml', 'data/a.bin', 'go.sum', 'src/a.json', 'src/.github.txt'],
}

describe('pathRole', () => {
  for (const [role, paths] of Object.entries(PATHS))
    for (const path of paths) it(`takes ${path} for ${role} [A1 A2 G17]`, () => expect(pathRole(path, [])).toBe(role))
})

describe('languages that disagree', () => {
  const pack = (ending: string, role: FileRole | undefined) =>
    ({
      detect: ([path]: readonly string[]) => Number(path!.endsWith(ending)),
      role: () => role,
    }) as unknown as LanguagePack
  const packs = [pack('.cs', 'test'), pack('.py', 'source')]

  it('leave a file to the one it is written in [A1]', () => {
    expect(pathRole('src/testing/runner.py', packs)).toBe('source')
    expect(pathRole('src/testing/Runner.cs', packs)).toBe('test')
  })

  const roots: Readonly<Record<string, FileRole>> = {
    'integration-tests/helper.py': 'test',
    'integration_tests/deep/suite.py': 'test',
    'Unit-Tests/foo.py': 'test',
    'typing_tests/baseline.py': 'test',
    'pkg/integration-tests/helper.py': 'source',
    'x/src/main/a.py': 'source',
    'tokio-test/src/lib.py': 'source',
    'rack-test/lib/a.py': 'source',
    'integration-tests.py': 'source',
  }
  for (const [path, role] of Object.entries(roots))
    it(`take ${path} for ${role} [A1]`, () => expect(pathRole(path, packs)).toBe(role))

  it('are asked in their order about what none of them is written in', () => {
    expect(pathRole('Shop.Tests/rows.bin', packs)).toBe('test')
  })
})
