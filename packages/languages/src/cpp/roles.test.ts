import { describe, expect, it } from 'vitest'
import { cppRole } from './roles.ts'

describe('the role of a C or C++ path', () => {
  const roles: Readonly<Record<string, string | undefined>> = {
    'src/a.cc': 'source',
    'include/lib/a.hpp': 'source',
    'include/boost/test/unit_test.hpp': 'source',
    'src/latest.c': 'source',
    'src/contest.cpp': 'source',
    'src/a_test.cc': 'test',
    'src/a_unittest.cc': 'test',
    'src/a-test.c': 'test',
    'src/a.test.cpp': 'test',
    'src/ATest.cpp': 'test',
    'src/TestA.cpp': 'test',
    'src/test_a.c': 'test',
    'test.c': 'test',
    'unittests/Support/A.cpp': 'test',
    'tests/support/helper.h': 'test',
    'tests/CMakeLists.txt': 'test',
    'test/meson.build': 'test',
    't/Makefile.am': 'test',
    'CMakeLists.txt': undefined,
    'src/CMakeLists.txt': undefined,
    'cmake/FindX.cmake': undefined,
    Makefile: undefined,
    'third_party/gtest/test/a_test.cc': 'other',
    'extern/lib/a.c': 'other',
    'docs/a_test.cc': undefined,
    'examples/a.cc': undefined,
    'tests/data/a.json': undefined,
    'tests/a.py': undefined,
    'README.md': undefined,
  }
  for (const [path, role] of Object.entries(roles))
    it(`${path} is ${role ?? 'left to the general rules'} [A1]`, () => expect(cppRole(path)).toBe(role))
})
