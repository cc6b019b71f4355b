import { describe, expect, it } from 'vitest'
import { parsePackageJson } from './package-json.ts'
import { packageSuite } from './suite.ts'
import { formatWorkload } from './workload.ts'

const files = [
  'spec/a.js',
  'test/a.test.js',
  'test/b.js',
  'test/fixtures/c.js',
  'test/data.json',
  'test/deep/d.test.js',
  'test/e.ts',
  'types/f.test.ts',
  'types/g.d.ts',
]

function suiteOf(scripts: Readonly<Record<string, string>>, dependencies: readonly string[] = [], more = {}) {
  const devDependencies = Object.fromEntries(dependencies.map((name) => [name, '*']))
  const manifest = parsePackageJson(JSON.stringify({ scripts, devDependencies, ...more }))!
  const input = { manifest, folder: '', imports: (module: string) => module === 'node:test', files: () => files }
  const suite = packageSuite(input)
  return suite && { runner: suite.runner, suite: suite.workloads.map(formatWorkload), env: suite.env }
}

const bin = (text: string) => `node_modules/.bin/${text}`

describe('the runner of a package [B10 B11 W7]', () => {
  const rows: readonly [script: string, runner: string, suite: string[], env?: Record<string, string>][] = [
    ['jest', 'jest', [bin('jest')]],
    ['jest --coverage --bail -c jest.unit.js src', 'jest', [bin('jest -c jest.unit.js -- src')]],
    ['vitest run --reporter=dot && tsd', 'vitest', [bin('vitest')]],
    [
      'xo && ava',
      'tap',
      [
        bin(
          "ava --tap -- test.js '{src,source}/test.js' '**/{test,tests,__tests__}/**/*.{js,cjs,mjs}' '**/*.{test,spec}.{js,cjs,mjs}' '**/test-*.{js,cjs,mjs}'",
        ),
      ],
    ],
    [
      "nyc --reporter=text mocha --require ts-node/register -R spec 'test/**/*.ts' --exit",
      'mocha',
      [bin("mocha --require ts-node/register -- 'test/**/*.ts'")],
    ],
    ['c8 -r html -- mocha', 'mocha', [bin('mocha')]],
    ['cross-env NODE_ENV=test TZ=UTC mocha test', 'mocha', [bin('mocha -- test')], { NODE_ENV: 'test', TZ: 'UTC' }],
    [
      'NODE_OPTIONS="--no-warnings" node --experimental-vm-modules node_modules/jest/bin/jest.js a',
      'jest',
      [bin('jest -- a')],
      { NODE_OPTIONS: '--no-warnings --experimental-vm-modules' },
    ],
    ['NODE_OPTIONS="$NODE_OPTIONS --a=1 -r $B" jest', 'jest', [bin('jest')], { NODE_OPTIONS: '--a=1' }],
    ['NODE_OPTIONS="$NODE_OPTIONS" A=$B C=1 jest', 'jest', [bin('jest')], { C: '1' }],
    [
      'NODE_OPTIONS=$X node --no-warnings node_modules/.bin/jest',
      'jest',
      [bin('jest')],
      { NODE_OPTIONS: '--no-warnings' },
    ],
    ['node --test', 'node-test', ['node --test']],
    ["node --test 'test/*.test.js'", 'node-test', ['node --test -- test/a.test.js']],
    ["node --test './test/**/*.test.{js,mjs}'", 'node-test', ['node --test -- test/a.test.js test/deep/d.test.js']],
    ['node --test test/', 'node-test', ['node --test -- test/a.test.js test/b.js test/deep/d.test.js']],
    ['node --test types ./test/b.js', 'node-test', ['node --test -- types/f.test.ts test/b.js']],
    ['node --test spec', 'node-test', ['node --test -- spec/a.js']],
    ["node --test dist/test 'dist/**/*.js' ../x", 'node-test', ["node --test -- dist/test 'dist/**/*.js' ../x"]],
    [
      'node --import tsx --test --test-reporter spec "test/*.ts"',
      'node-test',
      ['node --test --import tsx -- test/e.ts'],
    ],
    ['tsx --test test/*.ts', 'node-test', ['node --import tsx --test -- test/e.ts']],
    ['npm run lint && npm run unit -- --recursive', 'mocha', [bin('mocha --recursive')]],
    ['yarn unit | tap-spec', 'mocha', [bin('mocha')]],
    ['pnpm run build && pnpm exec mocha dist', 'mocha', [bin('tsc -p .'), bin('mocha -- dist')]],
    ['bun test --coverage', 'bun', ['bun test']],
    ['tape "test/*.js"', 'tap', ['node -- test/a.test.js test/b.js']],
    ['eslint test --plugin jest', 'mocha', [bin('mocha')]],
    ['echo "jest; vitest" && false', 'mocha', [bin('mocha')]],
    ['npm test', 'mocha', [bin('mocha')]],
  ]
  const scripts = { lint: 'eslint .', unit: 'mocha', build: 'tsc -p .' }
  for (const [script, runner, suite, env = {}] of rows)
    it(`is ${runner} for: ${script}`, () =>
      expect(suiteOf({ ...scripts, test: script }, ['mocha'])).toEqual({ runner, suite, env }))

  it('comes to an end where scripts call themselves and each other', () => {
    const calls = (name: string) => `npm run ${name} && `.repeat(12)
    const scripts = {
      test: `${calls('test')}${calls('a')}mocha`,
      a: `${calls('b')}tsc`,
      b: `${calls('c')}tsc`,
      c: calls('d'),
    }
    const started = Date.now()
    expect(suiteOf({ ...scripts, d: `${calls('e')}x`, e: `${calls('f')}x`, f: 'mocha' }, ['mocha']).runner).toBe(
      'mocha',
    )
    expect(suiteOf({ test: `${calls('test')}mocha` }, ['mocha']).runner).toBe('mocha')
    expect(Date.now() - started).toBeLessThan(2000)
  })

  it('is known by its library where no script names one', () => {
    expect(suiteOf({}, ['jest', 'vitest'])?.runner).toBe('vitest')
    expect(suiteOf({ test: 'make test' }, [])?.suite).toEqual(['node --test'])
  })

  it('builds first what the script before the tests builds', () => {
    expect(suiteOf({ pretest: 'tsc && rm -rf x', test: 'mocha lib' })?.suite).toEqual([bin('tsc'), bin('mocha -- lib')])
  })

  it('reads the files of ava from its settings', () => {
    expect(suiteOf({ test: 'ava' }, [], { ava: { files: ['t/*.js', '!t/a.js'] } })?.suite).toEqual([
      bin("ava --tap -- 't/*.js'"),
    ])
  })
})
