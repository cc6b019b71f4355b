import { BOOTSTRAP_FLAGS, CACHE_FLAG, KEEPER_FLAGS } from './bootstrap-flags.ts'
import type { CommandSpec } from './command.ts'
import { CONFIG_FLAGS, RUN_FLAGS } from './generate-flags.ts'

/** Every command. Modules are loaded when a command runs, so that help costs only this table. */
export const COMMANDS: readonly CommandSpec[] = [
  {
    name: 'generate',
    summary: 'mine a repository and write a dataset of proven tasks',
    flags: [...CONFIG_FLAGS, ...RUN_FLAGS],
    examples: [
      'r2e generate --repo ./project --pipeline commit_runtime --out ./dataset --limit 10',
      'r2e generate --config repo2rlenv.config.yaml --dry-run',
      'r2e generate --config repo2rlenv.config.yaml --resume',
    ],
    exits: {
      3: 'finished, but transient faults left candidates undecided: --resume tries them again',
      4: 'finished, and no task was admitted',
      5: 'stopped by a cap; the journal is intact',
    },
    load: () => import('./generate.ts'),
  },
  {
    name: 'validate',
    summary: 'check every task below a folder',
    operands: [{ name: '<path>', text: 'folder of a task or of a dataset' }],
    flags: [
      { flags: '--deep', text: 'also files, cross references, lint rules and digests' },
      { flags: '--oracle', text: 'run the oracle: it must score 1' },
      { flags: '--nop', text: 'run without any change: it must score below 1' },
      { flags: '--runs <count>', text: 'times each of them runs (default 1)' },
      { flags: '--sandbox <kind>', text: 'auto, docker or local' },
      { flags: '--sandbox-opt <key=value>', text: 'value of the section sandbox, such as rootfs=DIR', repeat: true },
      { flags: '--state-dir <dir>', text: 'folder of cached layers (default ./.r2e)' },
    ],
    examples: ['r2e validate ./dataset --deep', 'r2e validate ./dataset --oracle --nop --runs 3'],
    exits: { 1: 'a task is invalid, or there is none' },
    load: () => import('./validate.ts'),
  },
  {
    name: 'reward',
    summary: 'score a patch against the oracle of a task',
    flags: [
      { flags: '--task <dir>', text: 'folder of the task' },
      { flags: '--prediction <file>', text: 'the patch to score; - reads standard input' },
      {
        flags: '--metric <name>',
        text: 'ratio_v07 or changed_lines (default ratio_v07)',
      },
    ],
    examples: [
      'r2e reward --task ./dataset/local__demo-7 --prediction my.patch',
      'git diff | r2e reward --task T --prediction -',
    ],
    exits: { 1: 'the patches are too large to be scored' },
    load: () => import('./reward.ts'),
  },
  {
    name: 'bootstrap',
    summary: 'make the environment of a repository, prove it and store it',
    flags: BOOTSTRAP_FLAGS,
    examples: [
      'r2e bootstrap --repo ./project',
      "r2e bootstrap --repo owner/name --ref v1.2 --base-image python:3.12 --setup 'pip install numpy'",
    ],
    exits: { 1: 'no recipe builds and shows a test: the fix names what to try, and the log' },
    load: () => import('./bootstrap.ts'),
  },
  {
    name: 'bootstrap list',
    summary: 'list the stored environments',
    flags: [CACHE_FLAG],
    examples: ['r2e bootstrap list', 'r2e bootstrap list --json'],
    load: () => import('./bootstrap-list.ts'),
  },
  {
    name: 'bootstrap show',
    summary: 'show a stored environment: its recipe, its tests, its proof',
    operands: [{ name: '<id>', text: 'name in the list, its beginning, or that of the commit' }],
    flags: [CACHE_FLAG],
    examples: ['r2e bootstrap show local__project', 'r2e bootstrap show 1a2b3c4d --json'],
    load: () => import('./bootstrap-show.ts'),
  },
  {
    name: 'bootstrap prune',
    summary: 'remove stored environments and their images',
    operands: [{ name: '[id]', text: 'only those of this name or beginning' }],
    flags: [
      { flags: '--older-than <age>', text: 'only those not used for so long, such as 30d or 12h' },
      { flags: '--all', text: 'all of them' },
      { flags: '--dry-run', text: 'only say which' },
      ...KEEPER_FLAGS,
    ],
    examples: ['r2e bootstrap prune --older-than 30d', 'r2e bootstrap prune --all --dry-run'],
    load: () => import('./bootstrap-prune.ts'),
  },
  {
    name: 'bootstrap rebuild',
    summary: 'prove the recipe of a stored environment again, from nothing',
    operands: [{ name: '<id>', text: 'name in the list, its beginning, or that of the commit' }],
    flags: KEEPER_FLAGS,
    examples: ['r2e bootstrap rebuild local__project'],
    exits: { 1: 'the recipe does not build any more, or shows no test' },
    load: () => import('./bootstrap-rebuild.ts'),
  },
  {
    name: 'init',
    summary: 'write a commented sample configuration',
    flags: [
      { flags: '--out <path>', text: 'file to write (default repo2rlenv.config.yaml)' },
      { flags: '--force', text: 'replace the file if it exists' },
    ],
    examples: ['r2e init', 'r2e init --out ci.config.yaml --force'],
    exits: { 1: 'the file exists and --force was not given' },
    load: () => import('./init.ts'),
  },
  {
    name: 'doctor',
    summary: 'say what this machine has, what it lacks and how to fix it',
    flags: [
      { flags: '--state-dir <dir>', text: 'folder whose disk is looked at (default ./.r2e)' },
      { flags: '--llm <provider/model>', text: 'ask this model for one word' },
      { flags: '--llm-endpoint <url>', text: 'base URL of an OpenAI-compatible endpoint' },
      { flags: '--llm-key-env <name>', text: 'name of the variable that holds the key' },
    ],
    examples: ['r2e doctor', 'r2e doctor --json', 'r2e doctor --llm groq/NAME'],
    exits: { 1: 'something needed is missing' },
    load: () => import('./doctor.ts'),
  },
  {
    name: 'pipelines list',
    summary: 'list the pipelines with what they need and how they reward',
    flags: [],
    examples: ['r2e pipelines list'],
    load: () => import('./pipelines-list.ts'),
  },
  {
    name: 'pipelines describe',
    summary: 'show the options and skip reasons of a pipeline',
    operands: [{ name: '<name>', text: 'name, path or package of the pipeline' }],
    flags: [],
    examples: ['r2e pipelines describe commit_runtime', 'r2e pipelines describe pr_diff --json'],
    load: () => import('./pipelines-describe.ts'),
  },
  {
    name: 'config print',
    summary: 'show the resolved configuration and where each value comes from',
    flags: CONFIG_FLAGS,
    examples: ['r2e config print --config repo2rlenv.config.yaml'],
    load: () => import('./config-print.ts'),
  },
]
