import { expect, it } from 'vitest'
import { limitPassToPass } from './limit-pass-to-pass.ts'

const near = { changedPaths: ['src/net/http/client.go'], failToPass: ['x.org/m/src/net/http::TestNew'] }

it('keeps all where there is no cap or room enough, sorted', () => {
  expect(limitPassToPass(['b', 'a'], undefined, near)).toEqual(['a', 'b'])
  expect(limitPassToPass(['b', 'a'], 2, near)).toEqual(['a', 'b'])
})

it('takes the nearest folders first, whatever module prefix the ids have [B16 W19]', () => {
  const ids = [
    'x.org/m/src/net/http::TestB',
    'x.org/m/src/net::TestC',
    'x.org/m/cmd::TestA',
    'x.org/m/src/net/http/inner::TestD',
  ]
  expect(limitPassToPass(ids, 1, near)).toEqual(['x.org/m/src/net/http::TestB'])
  expect(limitPassToPass(ids, 3, near)).toEqual(ids.filter((id) => !id.includes('cmd')).sort())
})

it('takes neighbours of fail-to-pass tests before other scopes, then id order', () => {
  const python = { changedPaths: ['src/click/core.py'], failToPass: ['tests/test_core.py::test_new'] }
  const ids = ['tests/test_a.py::t', 'tests/test_core.py::t2', 'tests/test_core.py::t1', 'tests/test_b.py::t']
  expect(limitPassToPass(ids, 3, python)).toEqual([
    'tests/test_a.py::t',
    'tests/test_core.py::t1',
    'tests/test_core.py::t2',
  ])
})

it('reads dotted modules and works without a changed path', () => {
  const dotted = { changedPaths: ['pkg/sub/mod.py'], failToPass: [] }
  expect(limitPassToPass(['other.test_a.C.t', 'pkg.sub.test_b.C.t'], 1, dotted)).toEqual(['pkg.sub.test_b.C.t'])
  expect(limitPassToPass(['b', 'a'], 1, { changedPaths: [], failToPass: [] })).toEqual(['a'])
})

it('chooses 50 of 500 the same way from any order [B16]', () => {
  const ids = Array.from({ length: 500 }, (_, i) => `m/${'abcde'[i % 5]}/${i % 7}::T${i}`)
  const wanted = limitPassToPass(ids, 50, { changedPaths: ['c/3/x.go'], failToPass: ['m/c/2::T'] })
  expect(limitPassToPass([...ids].reverse(), 50, { changedPaths: ['c/3/x.go'], failToPass: ['m/c/2::T'] })).toEqual(
    wanted,
  )
  expect(wanted.filter((id) => id.startsWith('m/c/3::'))).toHaveLength(
    ids.filter((id) => id.startsWith('m/c/3::')).length,
  )
})
