import { describe, expect, it } from 'vitest'
import { isTestModule, javascriptRole, mayHoldCases } from './roles.ts'

describe('the role of a JavaScript path', () => {
  const roles: Readonly<Record<string, string | undefined>> = {
    'src/a.ts': 'source',
    'src/App.vue': 'source',
    'lib/index.d.ts': 'source',
    'src/a.test.tsx': 'test',
    'src/a.spec.cts': 'test',
    'src/login.e2e.ts': 'test',
    'src/login.cy.js': 'test',
    'test.js': 'test',
    'index.test-d.ts': 'test',
    'test/helper.js': 'test',
    'Tests/data.json': 'test',
    'packages/a/src/__tests__/a.ts': 'test',
    'src/__mocks__/fs.js': 'test',
    'src/__snapshots__/a.ts.snap': 'test',
    'src/a.js.snap': 'test',
    'cypress/support/commands.ts': 'test',
    'jest.setup.js': 'test',
    'src/setupTests.ts': 'test',
    'testing/server.ts': 'test',
    'src/testing/server.ts': 'source',
    'packages/spec/src/pipeline.ts': 'source',
    'packages/test/lib/runner.js': 'source',
    'packages/spec/test/a.ts': 'test',
    'packages/spec/src/a.test.ts': 'test',
    'tests/fixtures/app/src/index.ts': 'test',
    'src/latest.ts': 'source',
    'src/contest.js': 'source',
    'src/inspector.ts': 'source',
    'jest.config.ts': 'other',
    'vitest.workspace.ts': 'other',
    'vite.config.ts': 'other',
    '.mocharc.cjs': 'other',
    'eslint.config.mjs': 'other',
    '.eslintrc.js': 'other',
    'node_modules/a/test/a.js': 'other',
    'rollup.config.js': 'source',
    'docs/a.test.js': undefined,
    'examples/a.js': undefined,
    'package.json': undefined,
    'README.md': undefined,
    'CHANGELOG.md': undefined,
  }
  for (const [path, role] of Object.entries(roles))
    it(`${path} is ${role ?? 'left to the general rules'} [A1]`, () => expect(javascriptRole(path)).toBe(role))

  const modules: Readonly<Record<string, readonly [isRun: boolean, mayHoldCases: boolean]>> = {
    'src/a.test.ts': [true, true],
    'test/a.js': [true, true],
    'tests/lib/rules/utils/ast-utils.js': [true, true],
    'tests/util/props.js': [true, true],
    'tests/unit/helpers/format.js': [true, true],
    'test/unit/data/events.js': [true, true],
    'src/utils/__tests__/format.js': [true, true],
    'src/data/test/load.js': [true, true],
    'src/fixtures/__tests__/load.js': [true, true],
    'test/fixtures/a.js': [false, false],
    'test/fixtures/__tests__/a.js': [false, false],
    'test/unit/__fixtures__/a.js': [false, false],
    'src/__tests__/__mocks__/fs.js': [false, false],
    'src/__fixtures__/a.js': [false, false],
    'test/fixtures/a.test.js': [true, true],
    'test/helpers/server.js': [false, true],
    'src/__tests__/support/shared.js': [false, true],
    'test/_server.js': [false, true],
    'e2e/login.ts': [false, true],
    'test/a.json': [false, false],
    'test/types.d.ts': [false, false],
    'index.test-d.ts': [false, false],
    'src/a.ts': [false, false],
  }
  for (const [path, [isRun, holds]] of Object.entries(modules)) {
    it(`${path} is ${isRun ? '' : 'not '}run as tests`, () => expect(isTestModule(path)).toBe(isRun))
    it(`${path} ${holds ? 'may hold' : 'holds no'} cases [A3]`, () => expect(mayHoldCases(path)).toBe(holds))
  }
})
