import { describe, expect, it } from 'vitest'
import { planBuild } from './build-plan.ts'
import { copyEntries } from './copy-entries.ts'
import { parseDockerfile } from './dockerfile.ts'
import { parseAssignments, splitWords } from './dockerfile-words.ts'

describe('parseDockerfile', () => {
  it('joins continued lines and drops comments between them', () => {
    const text = '# syntax=x\nFROM a\n\nRUN one \\\n  # note\n\n  && two \\  \n  three\nrun four'
    expect(parseDockerfile(text).map(({ text }) => text)).toEqual(['FROM a', 'RUN one   && two   three', 'run four'])
    expect(parseDockerfile(text).at(-1)).toMatchObject({ keyword: 'RUN', rest: 'four' })
  })

  it('reads a last line that ends open', () => {
    expect(parseDockerfile('FROM a\nRUN b \\').map(({ rest }) => rest)).toEqual(['a', 'b'])
  })
})

describe('splitWords', () => {
  const env = { A: 'x y', EMPTY: '' }
  for (const [text, words] of [
    ['a  b', ['a', 'b']],
    ['"a b" c', ['a b', 'c']],
    ["'$A' $A", ['$A', 'x y']],
    [`"\${A}"/z`, ['x y/z']],
    ['\\$A a\\ b', ['$A', 'a b']],
    [`\${NONE:-other} \${EMPTY:-other} \${A:+set} \${NONE:+set}`, ['other', 'other', 'set', '']],
    ['""', ['']],
    ['"a\\"b" "c\\d"', ['a"b', 'c\\d']],
    ['$', ['$']],
  ] as const)
    it(`reads ${text}`, () => expect(splitWords(text, env)).toEqual(words))
})

describe('parseAssignments', () => {
  it('reads pairs and the old form', () => {
    expect(parseAssignments('A=b C="d e" E=$A', { A: 'old' })).toEqual({ A: 'b', C: 'd e', E: 'old' })
    expect(parseAssignments('A b c', {})).toEqual({ A: 'b c' })
    expect(parseAssignments('A', {})).toBeUndefined()
  })
})

describe('planBuild', () => {
  it('gives each step the setting of its place', () => {
    const plan = planBuild(
      'FROM x\nENV P=$PATH:/b\nWORKDIR a\nUSER u\nRUN ["x","y"]\nRUN --network=none z\nCOPY f g .\n',
      {
        PATH: '/bin',
      },
    )
    const setting = { env: { P: '/bin:/b' }, workdir: '/a', user: 'u' }
    expect(plan).toEqual({
      ok: true,
      end: setting,
      steps: [
        { text: 'WORKDIR a', kind: 'folder', path: '/a', setting: { env: { P: '/bin:/b' }, workdir: '/a' } },
        { text: 'RUN ["x","y"]', kind: 'run', argv: ['x', 'y'], network: true, setting },
        { text: 'RUN --network=none z', kind: 'run', argv: ['/bin/sh', '-c', 'z'], network: false, setting },
        { text: 'COPY f g .', kind: 'copy', sources: ['f', 'g'], target: '/a/', setting },
      ],
    })
  })

  for (const [text, step] of [
    ['', ''],
    ['RUN a', 'RUN a'],
    ['FROM a\nFROM b', 'FROM b'],
    ['FROM a\nRUN <<EOF\nx\nEOF', 'RUN <<EOF'],
    ['FROM a\nCOPY --from=b c d', 'COPY --from=b c d'],
    ['FROM a\nCOPY c', 'COPY c'],
    ['FROM a\nENV A', 'ENV A'],
    ['FROM a\nARG A', 'ARG A'],
  ] as const)
    it(`refuses ${JSON.stringify(text)}`, () => expect(planBuild(text, {})).toMatchObject({ ok: false, step }))
})

describe('copyEntries', () => {
  const file = (path: string) => ({ path, mode: '100644' as const, content: new Uint8Array() })
  const context = ['Dockerfile', 'a', 'd/b', 'd/e/c', 'dd'].map(file)
  const paths = (sources: string[], target: string): unknown => {
    const copied = copyEntries(context, { sources, target })
    return 'entries' in copied ? copied.entries.filter(({ kind }) => kind === 'file').map(({ path }) => path) : copied
  }
  it('copies a file to a name or into a folder', () => {
    expect(paths(['a'], '/x/y')).toEqual(['x/y'])
    expect(paths(['a', './d/b'], '/x/')).toEqual(['x/a', 'x/b'])
  })
  it('copies what a folder holds, and nothing of one with a longer name', () => {
    expect(paths(['d'], '/x/')).toEqual(['x/b', 'x/e/c'])
    expect(paths(['.'], '/')).toEqual(context.map(({ path }) => path).sort())
  })
  it('keeps to the context', () => {
    expect(paths(['../d/../a'], '/x/')).toEqual(['x/a'])
    expect(paths(['nothing'], '/x/')).toEqual({ missing: 'nothing' })
  })
})
