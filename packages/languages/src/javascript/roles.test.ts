import { describe, expect, it } from 'vitest'
import { isTestModule, javascriptRole } from './roles.ts'

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

  const modules: Readonly<Record<string, boolean>> = {
    'src/a.test.ts': true,
    'test/a.js': true,
    'test/fixtures/a.js': false,
    'test/helpers/server.js': false,
    'test/_server.js': false,
    'test/a.json': false,
    'test/types.d.ts': false,
    'src/a.ts': false,
  }
  for (const [path, expected] of Object.entries(modules))
    it(`${path} is ${expected ? '' : 'not '}run as tests`, () => expect(isTestModule(path)).toBe(expected))
})
