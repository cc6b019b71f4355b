import { describe, expect, it } from 'vitest'
import { openBudget, TooMuch } from './budget.ts'
import { readWorkflow } from './github-workflow.ts'
import { type CiJob, isRowFor } from './job.ts'
import { openYamlParser } from './yaml.ts'

const parse = await openYamlParser({ commands: 1_000_000, bytes: 1_000_000_000 })

function jobsOf(text: string, files: Readonly<Record<string, string>> = {}): readonly CiJob[] {
  return readWorkflow({ file: 'w.yml', text, parse, find: (path) => files[path], budget: openBudget() })
}

/** A workflow with one job, its lines indented by the test. */
function jobOf(lines: string, top = 'on: push', files?: Readonly<Record<string, string>>): CiJob | undefined {
  return jobsOf(`${top}\njobs:\n  test:\n    ${lines.trim().replaceAll('\n', '\n    ')}\n`, files)[0]
}

const python = `uses: actions/setup-python@v5\n  with: {python-version: "\${{ matrix.py }}"}`

const versions: readonly [title: string, lines: string, version: string | undefined][] = [
  ['the newest release', `matrix: {py: [3.9, 3.10, 3.11-dev, pypy-3.11]}`, '3.10'],
  [
    'one on ubuntu-latest before a newer one elsewhere',
    'matrix: {py: [3.9], include: [{py: 3.12, os: ubuntu-20.04}]}',
    '3.9',
  ],
  ['one of Linux', 'matrix: {py: [3.9], include: [{py: 3.12, os: windows-latest}]}', '3.9'],
  ['what is not excluded', 'matrix: {py: [3.9, 3.10], exclude: [{py: 3.10}]}', '3.9'],
  ['one that an include alone has', 'matrix: {include: [{py: 3.8}, {py: 3.14t}]}', '3.8'],
]

describe('a job of a workflow', () => {
  for (const [title, matrix, version] of versions)
    it(`takes ${title}`, () => {
      const job = jobOf(`runs-on: "\${{ matrix.os || 'ubuntu-latest' }}"\nstrategy: {${matrix}}\nsteps:\n- ${python}`)
      expect(job?.versions.map((entry) => entry.version)).toEqual([version])
    })

  it('knows all versions of its matrix', () => {
    const job = jobOf(
      `runs-on: "\${{ matrix.os }}"\nstrategy: {matrix: {os: [windows-latest, ubuntu-latest], py: [3.9, 3.10]}}\nsteps:\n- ${python}`,
    )
    expect(job?.versions).toEqual([{ language: 'python', version: '3.10', tested: ['3.9', '3.10'] }])
  })

  it('takes the plainer of equal rows', () => {
    const job = jobOf(
      `runs-on: ubuntu-latest\nstrategy: {matrix: {a: [1, 2], include: [{a: 1, sanitize: address}]}}\nsteps:\n- run: x \${{ matrix.a }}`,
    )
    expect(job?.steps.map(({ script }) => script)).toEqual(['x 2'])
  })

  const set: readonly [uses: string, version: object][] = [
    ['actions/setup-node@v4 with: {node-version: 20}', { language: 'javascript', version: '20' }],
    ['actions/setup-go@v5 with: {go-version: 1.20}', { language: 'go', version: '1.20' }],
    ['actions/setup-java@v4 with: {java-version: "8\\n17\\n21-ea"}', { language: 'java', version: '17' }],
    ['dtolnay/rust-toolchain@1.80', { language: 'rust', version: '1.80' }],
    ['dtolnay/rust-toolchain@master with: {toolchain: 1.63.0}', { language: 'rust', version: '1.63.0' }],
    ['ruby/setup-ruby@v1 with: {ruby-version: 3.2}', { language: 'ruby', version: '3.2' }],
    ['shivammathur/setup-php@v2 with: {php-version: 8.3}', { language: 'php', version: '8.3' }],
  ]
  for (const [uses, version] of set)
    it(`has the version of ${uses.split(' ')[0]}`, () => {
      const [action, input] = uses.split(' with: ')
      const job = jobOf(`runs-on: ubuntu-latest\nsteps:\n- uses: ${action}${input ? `\n  with: ${input}` : ''}`)
      expect(job?.versions).toMatchObject([version])
    })

  it('has the versions of actions in the repository', () => {
    const action = `inputs: {py: {}}\nruns:\n  steps:\n  - uses: actions/setup-python@v5\n    with: {python-version: "\${{ inputs.py }}"}\n`
    const job = jobOf(
      `runs-on: ubuntu-latest\nstrategy: {matrix: {py: [3.9, 3.10]}}\nsteps:\n- uses: ./a\n  with: {py: "\${{ matrix.py }}"}`,
      'on: push',
      { 'a/action.yml': action },
    )
    expect(job?.versions).toEqual([{ language: 'python', version: '3.10', tested: ['3.9', '3.10'] }])
  })

  it('has the version of its container', () =>
    expect(jobOf('runs-on: ubuntu-latest\ncontainer: {image: "python:3.12"}\nsteps:\n- run: x')).toMatchObject({
      versions: [{ language: 'python', version: '3.12' }],
    }))

  const absent: readonly [title: string, lines: string][] = [
    ['on another system', 'runs-on: windows-latest\nsteps:\n- run: x'],
    ['without steps', 'uses: ./.github/workflows/other.yml'],
    ['in another repository', 'uses: a/b/.github/workflows/other.yml@v1'],
    ['that never runs', 'runs-on: ubuntu-latest\nif: false\nsteps:\n- run: x'],
    [
      'on another repository',
      'runs-on: ubuntu-latest\nsteps:\n- uses: actions/checkout@v4\n  with: {repository: a/b}\n- run: x',
    ],
  ]
  for (const [title, lines] of absent) it(`is none ${title}`, () => expect(jobOf(lines)).toBeUndefined())

  const triggers: readonly [top: string, isRegular: boolean][] = [
    ['on: [push]', true],
    ['on: {pull_request: {branches: [main]}}', true],
    ['on: {push: {tags: ["v*"]}}', false],
    ['on: {schedule: [{cron: "0 0 * * *"}]}', false],
    ['on: workflow_dispatch', false],
  ]
  for (const [top, isRegular] of triggers)
    it(`is ${isRegular ? '' : 'not '}for every change by ${top}`, () =>
      expect(jobOf('runs-on: ubuntu-latest\nsteps:\n- run: x', top)?.isRegular).toBe(isRegular))

  it('names its services by their images', () =>
    expect(
      jobOf(
        `runs-on: ubuntu-latest\nservices: {db: {image: "example.org/postgres:15"}, x: {image: "\${{ matrix.i }}"}}\nsteps:\n- run: x`,
      )?.services,
    ).toEqual(['postgres', 'x']))

  it('has the packages of actions that install them', () =>
    expect(
      jobOf(
        'runs-on: ubuntu-latest\nsteps:\n- uses: awalsh128/cache-apt-pkgs-action@v1\n  with: {packages: libfoo-dev bar1}',
      )?.packages,
    ).toEqual(['libfoo-dev', 'bar1']))
})

describe('the row of a matrix', () => {
  const setUp = (tool: string) =>
    `- uses: actions/setup-${tool}@v1\n  with: {${tool}-version: "\${{ matrix.${tool} }}"}`
  const jobs = jobsOf(
    `on: push\njobs:\n  test:\n    runs-on: ubuntu-latest\n    strategy: {matrix: {include: [{node: 18, python: 3.12}, {node: 22, python: 3.9}]}}\n    steps:\n    ${`${setUp('node')}\n${setUp('python')}\n- run: x`.replaceAll('\n', '\n    ')}\n`,
  )

  it('is chosen for each language by its own version', () => {
    const versionFor = (language: string) => {
      const found = jobs.filter(({ rowFor }) => isRowFor(rowFor, language))
      expect(found).toHaveLength(1)
      return found[0]?.versions.find((entry) => entry.language === language)?.version
    }
    expect(['javascript', 'python'].map(versionFor)).toEqual(['22', '3.12'])
  })

  it('is one for all other languages', () =>
    expect(jobs.filter(({ rowFor }) => isRowFor(rowFor, 'cpp')).map(({ versions }) => versions[0]?.version)).toEqual([
      '22',
    ]))
})

describe('a workflow that another calls', () => {
  const called = `on: {workflow_call: {inputs: {py: {default: 3.8}, extra: {}}}}
jobs:
  unit:
    runs-on: ubuntu-latest
    steps:
    - uses: actions/setup-python@v5
      with: {python-version: "\${{ inputs.py }}"}
    - {run: a, if: inputs.extra}
    - run: b \${{ inputs.py }}
`
  const files = { '.github/workflows/called.yml': called }
  const callers: readonly [title: string, lines: string, steps: readonly string[]][] = [
    ['its own values', 'uses: ./.github/workflows/called.yml', ['b 3.8']],
    ['inputs of the call', 'uses: ./.github/workflows/called.yml\nwith: {py: 3.10, extra: true}', ['a', 'b 3.10']],
    [
      'inputs that are not known',
      `uses: ./.github/workflows/called.yml\nwith: {extra: "\${{ vars.X }}"}`,
      ['a', 'b 3.8'],
    ],
    [
      'a call for each row',
      `strategy: {matrix: {py: [3.9, 3.10], os: [u, w]}}\nuses: ./.github/workflows/called.yml\nwith: {py: "\${{ matrix.py }}"}`,
      ['b 3.9', 'b 3.10'],
    ],
    ['no call that never happens', 'if: false\nuses: ./.github/workflows/called.yml', []],
    ['no file that is not there', 'uses: ./.github/workflows/other.yml', []],
  ]
  for (const [title, lines, steps] of callers)
    it(`has ${title}`, () => {
      const jobs = jobsOf(`on: push\njobs:\n  test:\n    ${lines.replaceAll('\n', '\n    ')}\n`, files)
      expect(jobs.flatMap((job) => job.steps.map(({ script }) => script))).toEqual(steps)
      for (const job of jobs)
        expect(job).toMatchObject({ name: 'test / unit', isRegular: true, file: '.github/workflows/called.yml' })
    })

  it('says nothing by itself', () => expect(jobsOf(called)).toEqual([]))

  it('may call itself', () => {
    const path = '.github/workflows/a.yml'
    const job = (name: string) => `  ${name}: {uses: ./${path}, with: {x: "\${{ inputs.x }}${name}"}}\n`
    const text = `on: [push, workflow_call]\njobs:\n${Array.from({ length: 90 }, (_, at) => job(`j${at}`)).join('')}`
    expect(jobsOf(text, { [path]: text })).toEqual([])
  })
})

describe('a hostile workflow', () => {
  const read = (text: string, files = {}) => {
    const started = Date.now()
    try {
      jobsOf(text, files)
    } catch (error) {
      expect(error).toBeInstanceOf(TooMuch)
    }
    return Date.now() - started
  }

  it('ends soon where it repeats steps', () => {
    const steps = `[${'*s, '.repeat(100)}*s]`
    const jobs = Array.from({ length: 100 }, (_, at) => `  j${at}: {runs-on: x, steps: *l}\n`).join('')
    const env = Array.from({ length: 2000 }, (_, at) => `A${at}: x`).join(', ')
    expect(
      read(`x: &s {run: ${'y'.repeat(9000)}, env: {${env}}}\nl: &l ${steps}\non: push\njobs:\n${jobs}`),
    ).toBeLessThan(3000)
  })

  it('ends soon where rows and actions repeat each other', () => {
    const axis = Array.from({ length: 16 }, (_, at) => at).join(', ')
    const uses = Array.from({ length: 90 }, () => `{uses: ./a, with: {x: "\${{ matrix.a }}"}}`).join(', ')
    const job = (name: string) =>
      `  ${name}: {runs-on: x, strategy: {matrix: {a: [${axis}], b: [${axis}]}}, steps: *s}\n`
    const jobs = Array.from({ length: 100 }, (_, at) => job(`j${at}`)).join('')
    const action = `runs: {steps: [${uses}]}`
    expect(read(`x: &s [${uses}]\non: push\njobs:\n${jobs}`, { 'a/action.yml': action })).toBeLessThan(3000)
  })
})

describe('steps of a job', () => {
  it('have the variables of workflow, job and step, and know their own', () => {
    const job = jobOf(
      `runs-on: ubuntu-latest\nenv: {B: "\${{ env.A }}2", C: 3}\nsteps:\n- run: x\n  env: {C: 4, D: "\${{ secrets.S }}"}`,
      'on: push\nenv: {A: 1}',
    )
    expect(job?.steps).toEqual([
      {
        script: 'x',
        isLiteral: true,
        env: { A: '1', B: '12', C: '4', D: '\uE000' },
        ownEnv: { A: '1', C: '4' },
        folder: '',
      },
    ])
  })

  it('have no own variable that an expression sets again', () => {
    const job = jobOf(`runs-on: ubuntu-latest\nenv: {A: "\${{ matrix.a }}"}\nsteps:\n- run: x`, 'on: push\nenv: {A: 1}')
    expect(job?.steps[0]?.ownEnv).toEqual({})
  })

  it('know whether an expression stands in their script', () => {
    const job = jobOf(`runs-on: ubuntu-latest\nsteps:\n- run: x \${{ matrix.a }}\n- run: x`)
    expect(job?.steps.map(({ isLiteral }) => isLiteral)).toEqual([false, true])
  })

  it('have variables of the matrix', () => {
    const job = jobOf(
      `runs-on: ubuntu-latest\nstrategy: {matrix: {env: [{A: 1}]}}\nenv: "\${{ matrix.env }}"\nsteps:\n- run: x`,
    )
    expect(job?.steps[0]).toMatchObject({ env: { A: '1' }, ownEnv: {} })
  })

  it('run where their condition holds or is not known', () => {
    const job = jobOf(
      "runs-on: ubuntu-latest\nsteps:\n- {run: a, if: \"runner.os == 'Windows'\"}\n- {run: b, if: failure()}\n- {run: c, if: steps.x.outputs.hit != 'true'}\n- {run: d, if: always()}",
    )
    expect(job?.steps.map(({ script }) => script)).toEqual(['c', 'd'])
  })

  it('run by any event that may start the workflow', () => {
    const job = jobOf(
      "runs-on: ubuntu-latest\nsteps:\n- {run: a, if: github.event_name == 'pull_request'}\n- {run: b, if: github.event_name != 'pull_request'}\n- {run: c, if: \"github.event_name == 'push' && runner.os == 'macOS'\"}",
      'on: [push, pull_request]',
    )
    expect(job?.steps.map(({ script }) => script)).toEqual(['a', 'b'])
  })

  it('run in a shell for Linux, in their folder', () => {
    const job = jobOf(
      'runs-on: ubuntu-latest\ndefaults: {run: {working-directory: ./a}}\nsteps:\n- run: x\n- {run: y, working-directory: b/c}\n- {run: z, shell: pwsh}\n- {run: w, shell: "bash -l {0}", working-directory: /w}',
    )
    expect(job?.steps.map(({ script, folder }) => `${folder}$ ${script}`)).toEqual(['a$ x', 'b/c$ y', '\uE000$ w'])
  })

  it('are those of actions in the repository', () => {
    const action = `inputs: {v: {default: 1}}\nruns:\n  steps:\n  - {run: "in \${{ inputs.v }}", shell: bash}\n  - uses: ./.github/actions/setup\n`
    const job = jobOf(
      'runs-on: ubuntu-latest\nsteps:\n- uses: ./.github/actions/setup\n  with: {v: 2}\n- run: x',
      'on: push',
      { '.github/actions/setup/action.yml': action },
    )
    expect(job?.steps.map(({ script }) => script)).toEqual(['in 2', 'in 1', 'in 1', 'x'])
  })
})
