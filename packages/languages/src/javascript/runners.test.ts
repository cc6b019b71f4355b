import type { Recipe, Runner } from '@r2e/spec'
import { describe, expect, it } from 'vitest'
import { bunRunner, jestRunner, mochaRunner, nodeTestRunner, tapRunner, vitestRunner } from './runners.ts'

const recipe = (suite: readonly string[], testCommand?: readonly string[]) =>
  ({ suite, ...(testCommand && { testCommand }) }) as Partial<Recipe> as Recipe
const lines = (commands: readonly { argv: readonly string[] }[]) => commands.map(({ argv }) => argv.join(' '))

const jest = 'node_modules/.bin/jest'
const jestFlags = (n = 0) =>
  `--ci --json --outputFile={report}/${n}.json --testLocationInResults --coverage=false --watchman=false --forceExit --bail=0`
const vitestFlags =
  '--run --reporter={tests}/reporters/vitest_events.mjs --outputFile={report}/0.jsonl --coverage.enabled=false --bail=0 --retry=0'
const mochaFlags =
  '--require {tests}/reporters/mocha_events.cjs --reporter {tests}/reporters/mocha_events.cjs --reporter-option output={report}/0.jsonl --no-parallel --no-bail --retries 0 --exit'
const nodeFlags = '--test-reporter={tests}/reporters/node_events.mjs --test-reporter-destination={report}/0.jsonl'

describe('the whole suite', () => {
  const rows: readonly [Runner, suite: string[], wanted: string[]][] = [
    [jestRunner, [`${jest} --config a.js -- src`], [`${jest} --config a.js ${jestFlags()} src`]],
    [
      jestRunner,
      ['node_modules/.bin/react-scripts test --watchAll=false -- src'],
      [`node_modules/.bin/react-scripts test --watchAll=false ${jestFlags()} src`],
    ],
    [vitestRunner, ['node_modules/.bin/vitest'], [`node_modules/.bin/vitest ${vitestFlags}`]],
    [
      mochaRunner,
      ['node_modules/.bin/tsc -p .', "node_modules/.bin/mocha --require a -- 'test/**/*.js'"],
      [
        'node_modules/.bin/tsc -p .',
        `node_modules/.bin/mocha --require a ${mochaFlags.replace('/0.', '/1.')} test/**/*.js`,
      ],
    ],
    [nodeTestRunner, ['node --import tsx --test'], [`node --import tsx --test ${nodeFlags}`]],
    [
      tapRunner,
      ["node_modules/.bin/ava --tap -- test.js '**/*.test.js'"],
      ['node {tests}/reporters/tap_files.mjs node_modules/.bin/ava --tap -- test.js **/*.test.js'],
    ],
    [bunRunner, ['bun test'], ['bun test --reporter=junit --reporter-outfile={report}/0.xml']],
  ]
  for (const [runner, suite, wanted] of rows)
    it(`of ${runner.name} is run with the project's options and a report of ours [B2 B11]`, () =>
      expect(lines(runner.suite(recipe(suite)))).toEqual(wanted))

  it('is run in the folder of each package of a workspace', () => {
    expect(lines(jestRunner.suite(recipe([`env -C packages/a ${jest}`, `env -C 'packages/b c' ${jest}`])))).toEqual([
      `env -C packages/a ${jest} ${jestFlags()}`,
      `env -C packages/b c ${jest} ${jestFlags(1)}`,
    ])
  })

  it('is what the user says', () => {
    const own = recipe([`${jest} -- src`], ['npx', 'jest'])
    expect(lines(jestRunner.suite(own))).toEqual([`npx jest ${jestFlags()}`])
  })

  it('of a program that prints TAP holds hidden files that no pattern may name', () => {
    const [command] = tapRunner.suite(recipe(['node -- test/a.js']), ['test/a.js', 'test/b.js', 'test/data.json'])
    expect(command?.argv.slice(-3)).toEqual(['--', 'test/a.js', 'test/b.js'])
    expect(command?.stdout).toBe(true)
  })
})

describe('the whole suite of node:test', () => {
  const flags = `--test ${nodeFlags}`

  it('holds hidden files where the project names its own', () => {
    const hidden = ['test/a.js', 'test/b.js', 'test/data.json']
    expect(lines(nodeTestRunner.suite(recipe(['node --test -- test/a.js']), hidden))).toEqual([
      `node ${flags} test/a.js test/b.js`,
    ])
  })

  it('gives each to the command that fits it best', () => {
    const suite = recipe(['node --test -- test/a.js', 'node --import x --test -- test/dom/a.js'])
    expect(lines(nodeTestRunner.suite(suite, ['test/b.js', 'test/dom/b.js']))).toEqual([
      `node ${flags} test/a.js test/b.js`,
      `node --import x ${flags.replace('/0.', '/1.')} test/dom/a.js test/dom/b.js`,
    ])
  })

  it('finds them else', () => {
    expect(lines(nodeTestRunner.suite(recipe(['node --test']), ['test/b.js']))).toEqual([`node ${flags}`])
  })
})

describe('touched files', () => {
  it('are run by the package that holds them, helpers and data left out', () => {
    const suite = recipe([`env -C packages/a ${jest}`, `env -C packages/a/b ${jest} -- x`])
    const paths = ['packages/a/b/test/c.js', 'packages/a/a.test.ts', 'packages/a/test/helpers/d.js', 'README.md']
    expect(lines(jestRunner.files(suite, paths))).toEqual([
      `env -C packages/a ${jest} ${jestFlags()} --runTestsByPath a.test.ts`,
      `env -C packages/a/b ${jest} ${jestFlags(1)} --runTestsByPath test/c.js`,
    ])
  })

  it('are left to the configuration of each command where several share a folder', () => {
    const suite = recipe([`${jest} -c a.js`, `${jest} -c b.js`, `env -C p ${jest}`])
    const wanted = '--passWithNoTests ^\\/app\\/src\\/\\[a\\]\\.test\\.ts$'
    expect(lines(jestRunner.files(suite, ['src/[a].test.ts', 'p/b.test.ts']))).toEqual([
      `${jest} -c a.js ${jestFlags()} ${wanted}`,
      `${jest} -c b.js ${jestFlags(1)} ${wanted}`,
      `env -C p ${jest} ${jestFlags(2)} --runTestsByPath b.test.ts`,
    ])
  })

  it('are left to the configuration of each command of vitest too', () => {
    const suite = recipe(['node_modules/.bin/vitest -c a.ts', 'node_modules/.bin/vitest -c b.ts'])
    const commands = lines(vitestRunner.files(suite, ['src/a.test.ts']))
    expect(commands.map((line) => line.endsWith('--retry=0 --passWithNoTests src/a.test.ts'))).toEqual([true, true])
  })

  it('are run by the command whose paths fit them best', () => {
    const mocha = 'node_modules/.bin/mocha'
    const suite = recipe([
      `${mocha} -- test/unit`,
      `${mocha} -r jsdom -- './test/dom/**/*.js'`,
      `${mocha} -r x -- test/e`,
    ])
    expect(lines(mochaRunner.files(suite, ['test/dom/a/b.js', 'test/unit/c.js']))).toEqual([
      `${mocha} ${mochaFlags} test/unit/c.js`,
      `${mocha} -r jsdom ${mochaFlags.replace('/0.', '/1.')} test/dom/a/b.js`,
    ])
  })

  it('cannot be taken for options', () => {
    expect(nodeTestRunner.files(recipe(['node --test']), ['-a.test.js'])[0]?.argv.at(-1)).toBe('./-a.test.js')
  })
})

describe('one test', () => {
  const rows: readonly [Runner, suite: string, id: string, wanted: string][] = [
    [
      jestRunner,
      jest,
      'src/a.test.ts::outer > adds (1+1)',
      '--runTestsByPath -t ^outer adds \\(1\\+1\\)$ src/a.test.ts',
    ],
    [jestRunner, jest, 'src/a.test.ts::row 1 #2', '--runTestsByPath -t ^row 1$ src/a.test.ts'],
    [jestRunner, jest, 'src/a.test.ts::line\\x0aend', '--runTestsByPath src/a.test.ts'],
    [jestRunner, `env -C p ${jest}`, 'p/a.test.ts::a \\> b', '--runTestsByPath -t ^a > b$ a.test.ts'],
    [vitestRunner, 'node_modules/.bin/vitest', '[unit] src/a.test.ts::a > b', '--project unit -t ^a b$ src/a.test.ts'],
    [mochaRunner, 'node_modules/.bin/mocha -- test', 'test/a.js::outer > adds', '--grep ^outer adds$ test/a.js'],
    [nodeTestRunner, 'node --test', 'test/a.mjs::outer > adds', '--test-name-pattern ^adds$ test/a.mjs'],
    [tapRunner, 'node_modules/.bin/ava --tap -- x', 'test/a.mjs::adds', '--tap -- test/a.mjs'],
    [bunRunner, 'bun test', 'a.test.ts::adds', '-t ^adds$ a.test.ts'],
  ]
  for (const [runner, suite, id, wanted] of rows)
    it(`${id} is selected in ${runner.name}`, () => {
      const { argv } = runner.select(recipe([suite]), id)
      expect(argv.join(' ').endsWith(wanted)).toBe(true)
    })

  it('is run by the command that fits its file best, the first of several', () => {
    const suite = recipe([`${jest} -c a.js`, `${jest} -c b.js -- e2e`, `${jest} -c c.js`])
    const settingOf = (id: string) => jestRunner.select(suite, id).argv[2]
    expect([settingOf('src/a.test.ts::a'), settingOf('e2e/a.test.ts::a')]).toEqual(['a.js', 'b.js'])
  })
})
