import { describe, expect, it } from 'vitest'
import { readAptInstall } from './debian-packages.ts'
import { unresolved } from './unresolved.ts'

const cases: readonly [line: string, packages: readonly string[] | undefined, leftOut?: readonly string[]][] = [
  ['apt-get install -y --no-install-recommends a1 libfoo-dev g++', ['a1', 'libfoo-dev', 'g++']],
  ['apt-get -y -qq -o Dpkg::Use-Pty=0 install a1', ['a1']],
  ['apt install a1 -t bookworm-backports', ['a1']],
  ['aptitude install a1', ['a1']],
  ['/usr/bin/apt-get install a1', ['a1']],
  ['apt-get install a1=1:2.3-4ubuntu5 b1/jammy c1:amd64 d1=1.*', ['a1', 'b1', 'c1', 'd1']],
  ['apt-get install libjpeg-turbo8-dev zlib1g', ['libjpeg62-turbo-dev', 'zlib1g']],
  ['apt-get update', undefined],
  ['apt-get remove a1', undefined],
  ['pip install a1', undefined],
  ['apt-get build-dep a1', [], ['a1: the build dependencies of a package']],
  ['apt-get install wine:i386', [], ['wine:i386: of another architecture']],
  ['apt-get install ./a1.deb /tmp/b1.deb c1.deb', [], ['./a1.deb: a file', '/tmp/b1.deb: a file', 'c1.deb: a file']],
  ['apt-get install libfoo* ^b1', [], ['libfoo*: a pattern', '^b1: a pattern']],
  [
    'apt-get install A1 x b1; -e',
    [],
    ['A1: no name of a package', 'x: no name of a package', 'b1;: no name of a package'],
  ],
  [
    'apt-get install $(reboot) `x` a1&&b1',
    [],
    ['$(reboot): a pattern', '`x`: no name of a package', 'a1&&b1: no name of a package'],
  ],
  ['apt-get install a1-', [], ['a1-: removed']],
  [`apt-get install ${'a'.repeat(300)}`, [], [`${'a'.repeat(200)}: no name of a package`]],
  [`apt-get install lib${unresolved}-dev`, [], ['lib…-dev: not known before the job runs']],
  [
    'apt-get install g++-11 clang-14 libc++-14-dev python3.9-venv linux-headers-generic',
    [],
    ['g++-11', 'clang-14', 'libc++-14-dev', 'python3.9-venv', 'linux-headers-generic'].map(
      (name) => `${name}: tied to one release of the system`,
    ),
  ],
  ['apt-get install python3-dev libc++1 libclang-dev python3', ['python3-dev', 'libc++1', 'libclang-dev', 'python3']],
]

describe('what apt installs', () => {
  for (const [line, packages, leftOut = []] of cases)
    it(`by ${line.replace(unresolved, '…').slice(0, 80)}`, () => {
      const read = readAptInstall(line.split(' '))
      expect(read?.packages).toEqual(packages)
      expect(read?.leftOut.map(({ word, reason }) => `${word}: ${reason}`) ?? []).toEqual(leftOut)
    })

  it('is left out where it may not run', () =>
    expect(readAptInstall(['apt-get', 'install', 'a1'], 'loop')).toEqual({
      packages: [],
      leftOut: [{ word: 'a1', reason: 'in a loop' }],
    }))
})
