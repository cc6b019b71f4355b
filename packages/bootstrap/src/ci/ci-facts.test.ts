import { describe, expect, it } from 'vitest'
import { openCiFacts } from './ci-facts.ts'
import { originOf } from './origin-of-facts.ts'

async function factsOf(files: Readonly<Record<string, string>>, language = 'python') {
  return (await openCiFacts(new Map(Object.entries(files))))(language)
}

const workflow = '.github/workflows/ci.yml'

/** A workflow whose jobs each run some lines on Linux. */
function jobs(scripts: Readonly<Record<string, string>>, top = 'on: push'): string {
  const each = Object.entries(scripts).map(
    ([name, script]) =>
      `  ${name}:\n    runs-on: ubuntu-latest\n    steps:\n    - run: |\n        ${script.replaceAll('\n', '\n        ')}\n`,
  )
  return `${top}\njobs:\n${each.join('')}`
}

const names = (facts: { readonly packages: readonly { readonly value: string }[] }) =>
  facts.packages.map(({ value }) => value)

describe('the packages of a tree', () => {
  it('are those of the job that runs the tests, with file and job', async () => {
    const text = jobs({
      docs: 'apt-get install pandoc\nmake html',
      test: 'sudo apt-get update\nsudo apt-get install -y libpq-dev libfoo$X\npytest',
    })
    const facts = await factsOf({ [workflow]: text })
    expect(facts.packages).toEqual([{ value: 'libpq-dev', file: workflow, job: 'test' }])
    expect(facts.leftOut).toEqual([
      { value: { word: 'libfoo…', reason: 'not known before the job runs' }, file: workflow, job: 'test' },
    ])
  })

  it('are also those of scripts and targets that the job calls, and of Dockerfiles', async () => {
    const facts = await factsOf({
      [workflow]: jobs({ test: './ci/install.sh\nmake deps\npytest' }),
      'ci/install.sh': '#!/bin/sh\nif [ "$RUNNER_OS" = Linux ]; then apt-get install -y a1; fi\n. ci/more.sh',
      'ci/more.sh': 'apt-get install -y b1',
      Makefile: 'P = c1\ndeps:\n\tsudo apt-get install $(P)\n',
      Dockerfile: 'FROM debian\nRUN apt-get update \\\n && apt-get install -y d1 a1\n',
    })
    expect(facts.packages.map(({ value, file }) => `${value} ${file}`)).toEqual([
      'a1 ci/install.sh',
      'b1 ci/more.sh',
      'c1 Makefile',
      'd1 Dockerfile',
    ])
  })

  it('are not those of a script in another language', async () =>
    expect(
      names(
        await factsOf({
          [workflow]: jobs({ test: './ci/install.sh\npytest' }),
          'ci/install.sh': '#!/usr/bin/env python3\napt install a1\n',
        }),
      ),
    ).toEqual([]))

  it('are none of a script that may not run', async () => {
    const script = 'if [ -f x ]; then ./ci/install.sh; fi\npytest'
    const facts = await factsOf({ [workflow]: jobs({ test: script }), 'ci/install.sh': 'apt-get install a1' })
    expect(names(facts)).toEqual([])
    expect(facts.leftOut[0]?.value).toEqual({ word: 'a1', reason: 'in a condition' })
  })

  it('are none of a loop', async () =>
    expect(
      (await factsOf({ [workflow]: jobs({ test: 'for p in a1 b1; do apt-get install $p; done\npytest' }) })).leftOut[0]
        ?.value.reason,
    ).toBe('in a loop'))
})

const chosen: readonly [title: string, files: Readonly<Record<string, string>>, job: string | undefined][] = [
  ['of this language', { [workflow]: jobs({ js: 'npm test', py: 'pytest' }) }, 'py'],
  [
    'for every change',
    { '.github/workflows/a.yml': jobs({ nightly: 'pytest' }, 'on: schedule'), [workflow]: jobs({ py: 'pytest' }) },
    'py',
  ],
  [
    'without a special purpose',
    { [workflow]: jobs({ 'test-minimal': 'pytest', tests: 'pytest', coverage: 'pytest' }) },
    'tests',
  ],
  ['that only a script shows', { [workflow]: jobs({ lint: 'ruff check', unit: './run_tests.sh' }) }, 'unit'],
  [
    'that make shows',
    { [workflow]: jobs({ a: 'make lint', b: 'make check' }), Makefile: 'lint:\n\truff\ncheck:\n\tpytest\n' },
    'b',
  ],
  ['that runs them for sure', { [workflow]: jobs({ a: 'if [ -f x ]; then pytest; fi', b: 'pytest' }) }, 'b'],
  ['of GitLab', { '.gitlab-ci.yml': 'unit: {script: [pytest]}\n' }, 'unit'],
  ['none where nothing is tested', { [workflow]: jobs({ a: 'ruff check', b: 'echo pytest' }) }, undefined],
]

describe('the job that runs the tests', () => {
  for (const [title, files, job] of chosen)
    it(`is one ${title}`, async () => expect((await factsOf(files)).test?.job).toBe(job))
})

describe('the commands of the job', () => {
  it('are read up to its first test', async () => {
    const facts = await factsOf({
      [workflow]: jobs({
        test: 'pip install -e .\ncd web\nA=1 npm run build\nmake gen\ncd ..\nmake test\nnpm run build',
      }),
      Makefile: 'test:\n\tTZ=UTC pytest -q\n',
    })
    expect(facts.install.map(({ value }) => value.words.join(' '))).toEqual(['pip install -e .'])
    expect(facts.build.map(({ value: { words, env, folder } }) => ({ words, env, folder }))).toEqual([
      { words: ['npm', 'run', 'build'], env: { A: '1' }, folder: 'web' },
      { words: ['make', 'gen'], env: {}, folder: 'web' },
    ])
    expect(facts.test).toMatchObject({ file: 'Makefile', job: 'test', value: { inner: ['pytest', '-q'] } })
    expect(facts.env.map(({ value }) => value)).toEqual([{ name: 'TZ', value: 'UTC' }])
  })
})

describe('the variables of the test step', () => {
  const step = (env: string, run = 'pytest') =>
    `on: push\nenv: {TOP: 1}\njobs:\n  test:\n    runs-on: ubuntu-latest\n    env: {JOB: 1}\n    steps:\n    - run: ${run}\n      env: ${env}\n    - run: other\n      env: {OTHER: 1}\n`
  const cases: readonly [title: string, env: string, names: readonly string[]][] = [
    ['plain ones', '{TZ: UTC, DJANGO_SETTINGS_MODULE: a.b}', ['DJANGO_SETTINGS_MODULE', 'TZ']],
    ['none that is not known', `{A: "\${{ secrets.A }}"}`, []],
    ['none that loads code', '{NODE_OPTIONS: --require ./x.js, PYTHONSTARTUP: x.py, RUBYOPT: -rx}', []],
    ['none of memory', '{NODE_OPTIONS: --max-old-space-size=8192}', []],
    ['none of a database', '{TESTDB: x, DB_NAME: y, REDIS_PORT: 1}', []],
    [
      'none of colour, machine, compiler or secret',
      '{FORCE_COLOR: 1, CI: 1, PATH: /x, CFLAGS: -O2, API_KEY: x, LD_PRELOAD: x}',
      [],
    ],
    ['no address of a service', '{DATABASE_URL: "postgres://localhost/x", HOST: localhost}', []],
    ['none of several lines', '{A: "x\\ny"}', []],
  ]
  for (const [title, env, wanted] of cases)
    it(`are ${title}`, async () =>
      expect((await factsOf({ [workflow]: step(env) })).env.map(({ value }) => value.name)).toEqual(wanted))
})

describe('what people are shown', () => {
  it('names each fact with its job', async () => {
    const text =
      'on: push\njobs:\n  test:\n    runs-on: ubuntu-latest\n    services: {db: {image: "postgres:15"}}\n    steps:\n    - uses: actions/setup-python@v5\n      with: {python-version: 3.10}\n    - run: apt-get install a1 ./b1.deb && pip install . && python setup.py build_ext -i && pytest $X\n      env: {TZ: UTC}\n'
    expect(originOf(await factsOf({ [workflow]: text })).map(({ fact }) => fact)).toEqual([
      'version 3.10 for tests (job test)',
      'package a1 (job test)',
      'package ./b1.deb is left out: a file (job test)',
      'service postgres is left out (job test)',
      'TZ=UTC for tests (job test)',
      'installs by apt-get install a1 ./b1.deb (job test)',
      'installs by pip install . (job test)',
      'builds by python setup.py build_ext -i (job test)',
      'tests by pytest … (job test)',
    ])
  })
})

describe('reading CI files', () => {
  it('takes linear time where scripts, targets and actions call each other', async () => {
    const started = Date.now()
    await factsOf({
      [workflow]: `on: push\njobs:\n  t:\n    runs-on: ubuntu-latest\n    steps:\n${'    - {uses: ./a}\n    - {run: "make t0; ./ci/x.sh"}\n'.repeat(100)}`,
      'a/action.yml': `runs:\n  steps:\n${'  - {uses: ./a}\n'.repeat(100)}`,
      'ci/x.sh': './ci/x.sh\n'.repeat(1000),
      Makefile: Array.from({ length: 10 }, (_, at) => `t${at}:\n${`\tmake t${at + 1}\n`.repeat(150)}`).join(''),
    })
    expect(Date.now() - started).toBeLessThan(5000)
  })
})
