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
    expect(facts.test).toMatchObject({ file: 'Makefile', job: 'test', value: { inner: ['pytest', '-q'] } })
    expect(facts.env.map(({ value }) => value)).toEqual([{ name: 'TZ', value: 'UTC' }])
  })
})

describe('the variables of the tests', () => {
  const step = (env: string, run = 'pytest', top = '{RAILS_ENV: test}') =>
    `on: push\nenv: ${top}\njobs:\n  test:\n    runs-on: ubuntu-latest\n    strategy: {matrix: {tz: [UTC]}}\n    steps:\n    - env: ${env}\n      run: |\n        ${run}\n    - run: other\n      env: {APP_ENV: 1}\n`
  const cases: readonly [title: string, text: string, names: readonly string[]][] = [
    ['of the step and what is around it', step('{TZ: UTC, MPLBACKEND: Agg}'), ['MPLBACKEND', 'RAILS_ENV', 'TZ']],
    ['of the command', step('{}', 'NODE_ENV=test env PYTHONPATH=src pytest'), ['NODE_ENV', 'PYTHONPATH', 'RAILS_ENV']],
    ['none of another name', step('{FOO: 1, PATH: /x, CC: gcc, NODE_OPTIONS: -r x, PYTHONSTARTUP: x}'), ['RAILS_ENV']],
    ['none of the matrix', step(`{TZ: "\${{ matrix.tz }}"}`), ['RAILS_ENV']],
    ['none that hides one of the matrix', step('{}', 'pytest', `{TZ: "\${{ matrix.tz }}"}`), []],
    ['none by an expression in the script', step('{}', `TZ=\${{ matrix.tz }} pytest`), ['RAILS_ENV']],
    ['none by a variable in the script', step(`{X: "\${{ matrix.tz }}"}`, 'TZ=$X pytest'), ['RAILS_ENV']],
    ['none that the script sets again', step('{TZ: UTC}', 'TZ=$X pytest'), ['RAILS_ENV']],
    ['no address, no path of the machine', step('{APP_ENV: "http://x", PYTHONPATH: "a:/home/x"}'), ['RAILS_ENV']],
    ['none of several lines', step('{TZ: "x\\ny"}'), ['RAILS_ENV']],
  ]
  for (const [title, text, wanted] of cases)
    it(`are ${title}`, async () =>
      expect((await factsOf({ [workflow]: text })).env.map(({ value }) => value.name)).toEqual(wanted))

  it('are none of the matrix of GitLab', async () => {
    const text = 'unit: {variables: {TZ: UTC, APP_ENV: a}, parallel: {matrix: [{TZ: [A, B]}]}, script: [pytest]}\n'
    expect((await factsOf({ '.gitlab-ci.yml': text })).env.map(({ value }) => value)).toEqual([
      { name: 'APP_ENV', value: 'a' },
    ])
  })
})

describe('the version of a language', () => {
  const job = (name: string, version: string, run = 'pytest') =>
    `  ${name}:\n    runs-on: ubuntu-latest\n    steps:\n    - uses: actions/setup-python@v5\n      with: {${version}}\n    - run: ${run}\n`
  const testedBy = async (jobs: string, files: Readonly<Record<string, string>> = {}) =>
    (await factsOf({ [workflow]: `on: push\njobs:\n${jobs}`, ...files })).version?.value

  it('is that of jobs with tests', async () =>
    expect(
      await testedBy(job('lint', 'python-version: 3.14', 'ruff check') + job('test', 'python-version: 3.9')),
    ).toEqual({ chosen: '3.9', tested: ['3.9'] }))

  it('is none of a Dockerfile or a development container', async () =>
    expect(
      await testedBy(jobs({ test: 'pytest' }).split('jobs:\n')[1]!, {
        Dockerfile: 'FROM python:3.8\nRUN pytest\n',
        '.devcontainer.json': '{"image": "python:3.8"}',
      }),
    ).toBeUndefined())

  it('is open where a file or the run says it', async () =>
    expect(
      await testedBy(job('test', 'python-version-file: pyproject.toml') + job('tests-old', 'python-version: 3.9')),
    ).toEqual({ chosen: '3.9', tested: ['3.9', '\uE000'] }))

  it('is the newest of the calls of a workflow', async () => {
    const called = `on: {workflow_call: {}}\njobs:\n${job('unit', `python-version: "\${{ inputs.py }}"`)}`
    const call = `  test:\n    strategy: {matrix: {py: [3.9, 3.10, 3.8]}}\n    uses: ./.github/workflows/unit.yml\n    with: {py: "\${{ matrix.py }}"}\n`
    expect(await testedBy(call, { '.github/workflows/unit.yml': called })).toEqual({
      chosen: '3.10',
      tested: ['3.10', '3.9', '3.8'],
    })
  })
})

describe('what people are shown', () => {
  it('names each fact with its job', async () => {
    const text =
      'on: push\njobs:\n  test:\n    runs-on: ubuntu-latest\n    services: {db: {image: "postgres:15"}}\n    steps:\n    - uses: actions/setup-python@v5\n      with: {python-version: 3.10}\n    - run: apt-get install a1 ./b1.deb && pip install . && pytest $X\n      env: {TZ: UTC}\n'
    expect(originOf(await factsOf({ [workflow]: text })).map(({ fact }) => fact)).toEqual([
      'version 3.10 for tests (job test)',
      'package a1 (job test)',
      'package ./b1.deb is left out: a file (job test)',
      'service postgres is left out (job test)',
      'TZ=UTC for tests (job test)',
      'installs by apt-get install a1 ./b1.deb (job test)',
      'installs by pip install . (job test)',
      'tests by pytest … (job test)',
    ])
  })
})

describe('reading CI files', () => {
  const timed = async (files: Readonly<Record<string, string>>) => {
    const started = Date.now()
    const facts = await factsOf(files)
    return { facts, time: Date.now() - started }
  }
  const many = (of: number, text: (at: number) => string) => Array.from({ length: of }, (_, at) => text(at)).join('')
  const hostile: readonly [title: string, files: Readonly<Record<string, string>>][] = [
    [
      'scripts, targets and actions that call each other',
      {
        [workflow]: `on: push\njobs:\n  t:\n    runs-on: ubuntu-latest\n    steps:\n${'    - {uses: ./a}\n    - {run: "make t0; ./ci/x.sh"}\n'.repeat(100)}`,
        'a/action.yml': `runs:\n  steps:\n${'  - {uses: ./a}\n'.repeat(100)}`,
        'ci/x.sh': './ci/x.sh\n'.repeat(1000),
        Makefile: many(10, (at) => `t${at}:\n${`\tmake t${at + 1}\n`.repeat(150)}`),
      },
    ],
    [
      'variables of make in each other',
      { [workflow]: jobs({ t: 'make t' }), Makefile: `${many(6000, (at) => `A${at}=$(A${at + 1})\n`)}t:\n\t$(A0)\n` },
    ],
    [
      'one step many times',
      {
        [workflow]: `on: push\nx: &x {run: make t}\ns: &s [${'*x, '.repeat(99)}*x]\njobs:\n${many(100, (at) => `  j${at}: {runs-on: x, steps: *s}\n`)}`,
        Makefile: `t:\n${'\ta $(B)\n'.repeat(200)}B = ${'x'.repeat(900)}\n`,
      },
    ],
    [
      'scripts that are slow to parse',
      Object.fromEntries(
        Array.from({ length: 16 }, (_, at) => [
          `.github/workflows/a${at}.yml`,
          jobs(Object.fromEntries(Array.from({ length: 4 }, (_, job) => [`j${at}-${job}`, 'a|'.repeat(7000) + job]))),
        ]),
      ),
    ],
    ['functions in functions', { [workflow]: jobs({ t: 'f() '.repeat(3900) }) }],
    ['brackets in brackets', { [workflow]: '['.repeat(60_000), '.devcontainer.json': '['.repeat(60_000) }],
    ['blanks before a hash', { [workflow]: jobs({ t: 'make t' }), Makefile: `A = ${' '.repeat(60_000)}x\nt:\n\ta\n` }],
  ]
  for (const [title, files] of hostile)
    it(`ends soon with ${title}`, async () => expect((await timed(files)).time).toBeLessThan(4000))

  it('passes over a file that stands for too much, and names it', async () => {
    const [, files] = hostile[2]!
    const { facts } = await timed(files)
    expect(facts.unread).toEqual([{ value: 'it stands for more than a person writes', file: workflow }])
    expect(originOf(facts)).toEqual([{ fact: 'is not read: it stands for more than a person writes', file: workflow }])
  })

  it('keeps what stands in the files before it', async () => {
    const [, files] = hostile[2]!
    const { facts } = await timed({
      ...files,
      '.github/workflows/a.yml': jobs({ test: 'apt-get install libfoo-dev\npytest' }),
    })
    expect(names(facts)).toEqual(['libfoo-dev'])
    expect(facts.unread.map(({ file }) => file)).toEqual([workflow])
  })
})
