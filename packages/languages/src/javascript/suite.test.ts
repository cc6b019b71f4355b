import { describe, expect, it } from 'vitest'
import { parsePackageJson } from './package-json.ts'
import { packageSuite } from './suite.ts'
import { formatWorkload } from './workload.ts'

const files = [
  'packages/core/test/h.js',
  'spec/a.js',
  'src/a.js',
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
    ['react-scripts test', 'jest', [bin('react-scripts test --watchAll=false')]],
    [
      'CI=true react-scripts --inspect --no-warnings test --env=jsdom --coverage src',
      'jest',
      [bin('react-scripts --no-warnings test --watchAll=false --env=jsdom -- src')],
    ],
    ['craco test --watchAll', 'jest', [bin('craco test --watchAll=false')]],
    [
      'react-app-rewired test --config-overrides ./x',
      'jest',
      [bin('react-app-rewired test --watchAll=false --config-overrides ./x')],
    ],
    ['react-scripts build', 'mocha', [bin('mocha')]],
    ['cd packages/core && mocha -r esm', 'mocha', ['env -C packages/core ../../node_modules/.bin/mocha -r esm']],
    ['cd packages && cd core && tape test', 'tap', ['env -C packages/core node -- test/h.js']],
    [
      'cd packages/core && tsc && cd ../.. && mocha',
      'mocha',
      ['env -C packages/core ../../node_modules/.bin/tsc', bin('mocha')],
    ],
    ['cd packages/core && npm run other', 'mocha', [bin('mocha')]],
    ['cd packages/none && jest', 'mocha', [bin('mocha')]],
    ['cd .. && jest', 'mocha', [bin('mocha')]],
    ['cd "$X" && jest', 'mocha', [bin('mocha')]],
  ]
  const scripts = { lint: 'eslint .', unit: 'mocha', build: 'tsc -p .', other: 'jest' }
  for (const [script, runner, suite, env = {}] of rows)
    it(`is ${runner} for: ${script}`, () =>
      expect(suiteOf({ ...scripts, test: script }, ['mocha'])).toEqual({ runner, suite, env }))

  const wrapped: readonly [script: string, suite: string[]][] = [
    [
      'nyc --check-coverage --lines 100 mocha --require ts-node/register "test/**/*.ts"',
      [bin("mocha --require ts-node/register -- 'test/**/*.ts'")],
    ],
    ['nyc --nycrc-path x --cache mocha src', [bin('mocha -- src')]],
    ['nyc -a -i ts-node/register -t x --silent false mocha src', [bin('mocha -- src')]],
    ['./node_modules/.bin/nyc ./node_modules/.bin/mocha src', [bin('mocha -- src')]],
    ['c8 --check-coverage --lines 95 node --test', ['node --test']],
    ['c8 -c x --all --src lib --reports-dir y ava', [bin('ava --tap -- test/b.js')]],
    ['env-cmd -f .env mocha src', [bin('mocha -- src')]],
    ['env-cmd ./config/.env.test mocha src', [bin('mocha -- src')]],
    ['env-cmd -e test --no-override jest src', [bin('jest -- src')]],
    ['dotenv -e .env.test -- jest src', [bin('jest -- src')]],
    ['dotenv -c -v A=1 jest src', [bin('jest -- src')]],
    ['xvfb-run -a -s "-screen 0" mocha src', [bin('mocha -- src')]],
    ['yarn nyc mocha src', [bin('mocha -- src')]],
    ['pnpm run jest src', [bin('jest -- src')]],
    ['run-s check:*', [bin('mocha -- src'), bin('mocha -- spec')]],
    ['run-p --max-parallel 2 "check:{b,c}"', [bin('mocha -- spec')]],
    ['npm-run-all lint check:b "check:a -- --exit -r esm" -- x', [bin('mocha -- spec'), bin('mocha -r esm -- src')]],
  ]
  for (const [script, suite] of wrapped)
    it(`is found inside: ${script}`, () => {
      const all = {
        lint: 'eslint .',
        'check:a': 'mocha src',
        'check:b': 'mocha spec',
        'check:b:c': 'jest',
        test: script,
      }
      expect(suiteOf(all, [], { ava: { files: ['test/b.js'] } })?.suite).toEqual(suite)
    })

  const values: readonly [script: string, suite: string][] = [
    ['jest --bail 1', 'jest'],
    ['jest -b 2 --watch false --ci true src', 'jest -- src'],
    ['jest --coverage --testResultsProcessor jest-sonar-reporter', 'jest'],
    ['jest --maxConcurrency 5 --changedSince main', 'jest --maxConcurrency 5'],
    ['jest --projects packages/a packages/b --ci src', 'jest --projects packages/a packages/b -- src'],
    ['jest --reporters default a --test-path-ignore-patterns=dist src', 'jest --test-path-ignore-patterns=dist -- src'],
    ['jest --setupFiles a b', 'jest --setupFiles a b'],
    ['jest --test-timeout 9 --no-watchman --no-cache', 'jest --test-timeout 9 --no-cache'],
    ['jest --testPathPattern=src --testPathPattern spec a.js', 'jest -- src spec a.js'],
    ["jest --unknown word ./src dist '(a|b)'", "jest --unknown -- ./src dist '(a|b)'"],
    ['vitest run --coverage.reporter text src', 'vitest -- src'],
    ['vitest -w src --pool forks --test-timeout 9', 'vitest --pool forks --test-timeout 9 -- src'],
    ['vitest --changed main --poolOptions.threads.maxThreads 2', 'vitest --poolOptions.threads.maxThreads 2'],
    ['mocha -r esm -C --ext ts -t 9 -f x -O a=b spec', 'mocha -r esm --ext ts -t 9 -f x -- spec'],
    ['mocha --extension ts --ignore a --watch-ignore b --spec spec', 'mocha --extension ts --ignore a -- spec'],
    [
      'mocha --file a --node-option import=tsx --global b spec',
      'mocha --file a --node-option import=tsx --global b -- spec',
    ],
    ['mocha --slow -1 --no-timeouts --no-exit built', 'mocha --slow -1 --no-timeouts -- built'],
    ['ava -c 2 --node-arguments="-r x" -T 2m test/b.js', "ava -c 2 '--node-arguments=-r x' -T 2m --tap -- test/b.js"],
    ['qunit --require a --reporter tap src/a.js', 'qunit --require a -- src/a.js'],
  ]
  for (const [script, suite] of values)
    it(`takes no value of an option for a path: ${script}`, () =>
      expect(suiteOf({ test: script })?.suite).toEqual([bin(suite)]))

  it('takes no value of an option for a path where node runs the tests', () => {
    const last = (script: string) => suiteOf({ test: script }, ['tape', 'tap'])?.suite
    expect(last('node --test --test-isolation none --test-coverage-lines 9 test/b.js')).toEqual([
      'node --test --test-isolation none -- test/b.js',
    ])
    expect(last('tape -r esm -i .gitignore test/b.js')).toEqual(['node -r esm -- test/b.js'])
    expect(last('tap --timeout 60 -R spec --files test/b.js')).toEqual(['node -- test/b.js'])
    expect(last('node --import tsx --no-warnings test/b.js')).toEqual(['node --import tsx --no-warnings -- test/b.js'])
  })

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
    const many = Object.fromEntries(
      Array.from({ length: 3000 }, (_, at) => [`a${at}`, `run-s ${'**:{a,b}*:* '.repeat(99)}`]),
    )
    expect(suiteOf({ ...many, test: 'run-s a*' }, ['mocha']).runner).toBe('mocha')
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
