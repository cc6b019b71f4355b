import { expect, it } from 'vitest'
import { GLOBAL_FLAGS } from './commands/global-flags.ts'
import { COMMANDS } from './commands/table.ts'
import { parseArguments } from './parse-arguments.ts'

const parse = (...words: string[]) => parseArguments(words, { version: '9.9.9', columns: 100 })

function flagsOf(...words: string[]): Record<string, unknown> {
  const parsed = parse(...words)
  if (parsed.kind !== 'run') throw new Error(JSON.stringify(parsed))
  return Object.fromEntries(parsed.request.flags)
}

for (const flag of ['--verbose', '--quiet', '--json', '--no-ui', '--no-color']) {
  it(`accepts ${flag} before, between and after the command`, () => {
    const expected = { [flag.slice(2)]: true }
    expect(flagsOf(flag, 'doctor')).toEqual(expected)
    expect(flagsOf('doctor', flag)).toEqual(expected)
    expect(flagsOf(flag, 'pipelines', 'list')).toEqual(expected)
    expect(flagsOf('pipelines', flag, 'list')).toEqual(expected)
    expect(flagsOf('pipelines', 'list', flag)).toEqual(expected)
  })
}

it('answers --version on every command, even where an operand is missing', () => {
  for (const words of [
    ['-V'],
    ['generate', '--version'],
    ['validate', '--version'],
    ['--version', 'config', 'print'],
  ]) {
    expect(parse(...words)).toEqual({ kind: 'print', text: '9.9.9\n' })
  }
})

it('keeps no value for a flag that was not typed', () => {
  expect(flagsOf('generate')).toEqual({})
})

it('takes a value that looks like a flag as the value', () => {
  expect(flagsOf('generate', '--test-cmd', '--json', '--setup', '-v')).toEqual({ 'test-cmd': '--json', setup: ['-v'] })
})

it('collects repeated flags in order and keeps the last of a single one', () => {
  expect(flagsOf('generate', '--setup', 'a b', '--ref', 'x', '--setup', 'c', '--ref', 'y')).toEqual({
    setup: ['a b', 'c'],
    ref: 'y',
  })
})

it('tells --resume alone from --resume with a run', () => {
  expect(flagsOf('generate', '--resume')).toEqual({ resume: true })
  expect(flagsOf('generate', '--resume', 'r1')).toEqual({ resume: 'r1' })
})

it('guesses the command and the option that was meant', () => {
  expect(parse('genrate')).toMatchObject({ kind: 'usage', code: 'unknown_command', fix: 'did you mean generate?' })
  expect(parse('generate', '--limt', '3')).toMatchObject({ code: 'unknown_option', fix: 'did you mean --limit?' })
  expect(parse('pipelines', 'lst')).toMatchObject({ code: 'unknown_command', fix: 'did you mean list?' })
})

it('refuses operands that a command does not take', () => {
  expect(parse('doctor', 'now')).toMatchObject({ kind: 'usage', code: 'excess_arguments' })
  expect(parse('validate')).toMatchObject({ kind: 'usage', code: 'missing_argument' })
  expect(parse('generate', '--repo')).toMatchObject({ kind: 'usage', code: 'option_missing_argument' })
})

it('says what to type where no command was given', () => {
  for (const words of [[], ['--json']]) {
    expect(parse(...words)).toMatchObject({
      kind: 'usage',
      code: 'no_command',
      fix: expect.stringContaining('generate'),
    })
  }
  expect(parse('--json', 'pipelines')).toMatchObject({
    code: 'no_command',
    message: 'pipelines wants one of: list, describe',
    fix: 'r2e pipelines list, or r2e pipelines describe commit_runtime',
  })
  expect(parse('config')).toMatchObject({ message: 'config wants one of: print' })
})

for (const spec of COMMANDS) {
  it(`shows every flag, exit code and example of ${spec.name} in its help`, () => {
    const parsed = parse(...spec.name.split(' '), '--help')
    if (parsed.kind !== 'print') throw new Error(JSON.stringify(parsed))
    for (const { flags } of [...spec.flags, ...GLOBAL_FLAGS]) expect(parsed.text).toContain(flags)
    for (const example of spec.examples) expect(parsed.text).toContain(`  ${example}\n`)
    for (const meaning of Object.values(spec.exits ?? {})) expect(parsed.text).toContain(meaning)
    expect(parse('help', ...spec.name.split(' ').slice(0, 1)).kind).toBe('print')
  })

  it(`parses the examples of ${spec.name}`, () => {
    for (const example of spec.examples) {
      const words = example.slice(example.indexOf('r2e ') + 4).split(' ')
      expect(parse(...words)).toMatchObject({ kind: 'run', spec: { name: spec.name } })
    }
  })
}
