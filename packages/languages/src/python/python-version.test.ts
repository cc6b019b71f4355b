import { describe, expect, it } from 'vitest'
import { noFacts } from './facts.ts'
import { poetryPython } from './poetry.ts'
import { pythonVersion } from './python-version.ts'

const rows: readonly [
  title: string,
  python: string | undefined,
  classifiers: string[],
  file: string | undefined,
  want: string,
][] = [
  ['the usual version where nothing is said', undefined, [], undefined, '3.13'],
  ['a version file first', '>=3.8', [], '3.10.4\n', '3.10'],
  ['a usual version for an open lower bound', '>=3.7', [], undefined, '3.13'],
  ['a newer one where the lower bound asks for it', '>=3.14', [], undefined, '3.14'],
  ['the newest below an upper bound', '>=3.7,<3.12', [], undefined, '3.11'],
  ['an exact minor', '==3.9.*', [], undefined, '3.9'],
  ['a compatible release', '~=3.8', [], undefined, '3.13'],
  ['one major only', '>=3.6,<4.0', [], undefined, '3.13'],
  ['no newer than the classifiers', '>=3.6', ['3.6', '3.9'], undefined, '3.9'],
  ['the nearest offered for classifiers of old', undefined, ['3.4'], undefined, '3.8'],
  ['an excluded minor', '!=3.13.*', [], undefined, '3.12'],
  ['a version that excludes one patch', '>=3.9,!=3.9.1', [], undefined, '3.13'],
  ['what one of the alternatives allows', '>=2.7,<2.8||>=3.5,<3.11', [], undefined, '3.10'],
  ['no newer than the classifiers with alternatives', '>=3.5,<4||>=2.7,<2.8', ['3.7', '3.8'], undefined, '3.8'],
  ['what the classifiers reach where nothing is allowed', '>=2.7,<2.8', ['3.6', '3.9'], undefined, '3.9'],
  ['the nearest offered to the classifiers where nothing is allowed', '==3.6.*', ['3.6'], undefined, '3.8'],
]

describe('the Python of the base image is', () => {
  for (const [title, python, classifiers, file, want] of rows)
    it(title, () => expect(pythonVersion([{ ...noFacts, python, classifiers }], file)).toBe(want))
})

describe('the Python of several projects is', () => {
  it('one that each of them allows, and no newer than the classifiers of any', () => {
    const projects = [{ python: '>=3.9' }, { python: '<3.12' }, { classifiers: ['3.9', '3.10'] }]
    expect(
      pythonVersion(
        projects.slice(0, 2).map((facts) => ({ ...noFacts, ...facts })),
        undefined,
      ),
    ).toBe('3.11')
    expect(
      pythonVersion(
        projects.map((facts) => ({ ...noFacts, ...facts })),
        undefined,
      ),
    ).toBe('3.10')
  })
})

describe("poetry's Python", () => {
  for (const [written, want] of [
    ['~2.7 || ^3.5', '>=2.7,<2.8||>=3.5,<4'],
    ['3.8.* | 3.9.*', '==3.8.*||==3.9.*'],
    ['*', ''],
  ])
    it(`${written} is ${want || 'any'}`, () => expect(poetryPython({ dependencies: { python: written } })).toBe(want))
})
