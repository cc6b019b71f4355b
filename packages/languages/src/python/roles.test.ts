import { describe, expect, it } from 'vitest'
import { pythonRole } from './roles.ts'

const rows: Readonly<Record<string, string | undefined>> = {
  'tests/test_a.py': 'test',
  'Tests/helper.py': 'test',
  'src/pkg/tests/data.py': 'test',
  'pkg/test_x.py': 'test',
  'pkg/x_test.py': 'test',
  'conftest.py': 'test',
  'pkg/conftest.py': 'test',
  'my tests/test_ä b.py': 'test',
  'testing/test_b.py': 'test',
  'testing/helper.py': 'test',
  'src/click/testing.py': 'source',
  'numpy/testing/_utils.py': 'source',
  'src/latest/contest.py': 'source',
  'pkg/mod.pyi': 'source',
  'pkg/fast.pyx': 'source',
  'setup.py': 'other',
  'docs/testing.md': undefined,
  'docs/test_conf.py': undefined,
  'examples/tests/test_x.py': undefined,
  'tests/data.json': undefined,
  'README.md': undefined,
}

describe('the role of a Python path', () => {
  for (const [path, role] of Object.entries(rows))
    it(`${path} is ${role ?? 'left to the general rules'} [A1]`, () => expect(pythonRole(path)).toBe(role))
})
