import type { Runner } from '@r2e/spec'
import { baseName } from '../path.ts'
import { jestWrappers } from './arguments.ts'
import { defineRunner, root } from './define-runner.ts'
import { fullNamePattern, quote } from './selector.ts'

const reporter = (name: string) => `{tests}/reporters/${name}`
const runs =
  (...names: readonly string[]) =>
  ([program = '']: readonly string[]) =>
    names.includes(baseName(program))

/**
 * jest by its JSON, which is not written where a run ends early. Neither coverage nor a file watcher changes what is seen;
 * what keeps the process open is cut off.
 */
export const jestRunner: Runner = defineRunner({
  name: 'jest',
  words: jestWrappers,
  format: 'jest-json',
  reporters: [],
  starts: runs('jest', ...jestWrappers),
  flags: (report) => [
    '--ci',
    '--json',
    `--outputFile=${report}`,
    '--testLocationInResults',
    '--coverage=false',
    '--watchman=false',
    '--forceExit',
    '--bail=0',
  ],
  named: ['--runTestsByPath'],
  shared: { options: ['--passWithNoTests'], argument: (path) => `^${quote(`${root}/${path}`)}$` },
  pattern: (selector) => ['-t', fullNamePattern(selector)],
})

/** vitest by the grader's reporter, which knows projects, hooks and what did not run; its own JSON does not. */
export const vitestRunner: Runner = defineRunner({
  name: 'vitest',
  format: 'events-jsonl',
  reporters: ['events.cjs', 'vitest_events.mjs'],
  starts: runs('vitest'),
  flags: (report) => [
    '--run',
    `--reporter=${reporter('vitest_events.mjs')}`,
    `--outputFile=${report}`,
    '--coverage.enabled=false',
    '--bail=0',
    '--retry=0',
  ],
  shared: { options: ['--passWithNoTests'] },
  pattern: (selector) => [
    ...(selector.project === undefined ? [] : ['--project', selector.project]),
    '-t',
    fullNamePattern(selector),
  ],
})

/** mocha by the grader's reporter, which also keeps a file that does not load from ending the run. */
export const mochaRunner: Runner = defineRunner({
  name: 'mocha',
  words: ['_mocha', 'ts-mocha'],
  format: 'events-jsonl',
  reporters: ['events.cjs', 'mocha_events.cjs'],
  starts: runs('mocha', '_mocha'),
  flags: (report) => [
    ...['--require', reporter('mocha_events.cjs')],
    ...['--reporter', reporter('mocha_events.cjs'), '--reporter-option', `output=${report}`],
    ...['--no-parallel', '--no-bail', '--retries', '0', '--exit'],
  ],
  pattern: (selector) => ['--grep', fullNamePattern(selector)],
})

/** node:test by the grader's reporter. */
export const nodeTestRunner: Runner = defineRunner({
  name: 'node-test',
  words: ['--test'],
  format: 'events-jsonl',
  reporters: ['events.cjs', 'node_events.mjs'],
  faults: [9],
  namesFiles: true,
  findsFiles: true,
  starts: (words) => runs('node')(words) && words.includes('--test'),
  flags: (report) => [`--test-reporter=${reporter('node_events.mjs')}`, `--test-reporter-destination=${report}`],
  pattern: ({ titles }) => ['--test-name-pattern', `^${quote(titles.at(-1)!)}$`],
})

/** ava, tape and other programs that print TAP, once per file. One test cannot be selected: its file is. */
export const tapRunner: Runner = defineRunner({
  name: 'tap',
  words: ['ava', 'tape', 'qunit'],
  format: 'tap',
  reporters: ['tap_files.mjs'],
  stdout: true,
  namesFiles: true,
  starts: (words) => runs('ava', 'tape', 'tap', 'qunit')(words) || (runs('node')(words) && !words.includes('--test')),
  flags: () => [],
  wrap: (words, paths) => ['node', reporter('tap_files.mjs'), ...words, '--', ...paths],
  pattern: () => [],
})

/** bun test by its JUnit XML. */
export const bunRunner: Runner = defineRunner({
  name: 'bun',
  format: 'junit-bun',
  reporters: [],
  starts: (words) => runs('bun')(words) && words.includes('test'),
  flags: (report) => ['--reporter=junit', `--reporter-outfile=${report}`],
  pattern: (selector) => ['-t', fullNamePattern(selector)],
})
