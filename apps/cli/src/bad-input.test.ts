import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, existsSync, openSync } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { text } from 'node:stream/consumers'
import { expect, it } from 'vitest'
import { folder, main, r2e, samplePipeline } from './__fixtures__/spawn-cli.ts'

interface Case {
  readonly title: string
  readonly words: readonly string[]
  readonly files?: Readonly<Record<string, string>>
  readonly code?: number
  readonly stderr: string
}

const base = ['--repo', './demo', '--pipeline', samplePipeline, '--out', './out']
const start = (text: string): string =>
  `repo: {url: ./demo}\npipeline:\n  name: ${samplePipeline}\noutput: {destination: out}\n${text}`

const cases: readonly Case[] = [
  {
    title: 'no command',
    words: [],
    stderr: `no_command: no command was given
  fix: r2e generate --repo PATH --pipeline commit_runtime --out DIR, or r2e --help
`,
  },
  {
    title: 'generate alone: every missing flag is named',
    words: ['generate'],
    stderr: `missing_value: repo.url, pipeline.name and output.destination are not set
  fix: give --repo, --pipeline and --out, or a file with --config (r2e init writes one)
`,
  },
  {
    title: 'no --out: the flag is named',
    words: ['generate', '--repo', './demo', '--pipeline', 'commit_runtime'],
    stderr: `missing_value: output.destination is not set
  fix: give --out, or a file with --config (r2e init writes one)
`,
  },
  {
    title: 'an unknown command',
    words: ['genrate'],
    stderr: `unknown_command: unknown command 'genrate'
  fix: did you mean generate?
`,
  },
  {
    title: 'an unknown flag',
    words: ['generate', '--limt', '3'],
    stderr: `unknown_option: unknown option '--limt'
  fix: did you mean --limit?
`,
  },
  {
    title: 'an unknown pipeline',
    words: ['generate', '--repo', './demo', '--pipeline', 'commit_runtim', '--out', './out'],
    stderr: `unknown_pipeline: --pipeline: there is no pipeline "commit_runtim"
  fix: did you mean commit_runtime?
`,
  },
  {
    title: 'a pipeline of the contract that is not here yet',
    words: ['pipelines', 'describe', 'swe_smith'],
    stderr: `unknown_pipeline: there is no pipeline "swe_smith"
  fix: known: pr_diff, commit_runtime; another one by its path, or by npm install r2e-pipeline-NAME beside the configuration
`,
  },
  {
    title: 'bootstrap alone',
    words: ['bootstrap'],
    stderr: `missing_value: repo.url is not set
  fix: give --repo
`,
  },
  {
    title: 'a platform that is not this machine',
    words: ['bootstrap', '--repo', './demo', '--platform', 'linux/riscv'],
    stderr: `wrong_value: --platform: bootstrap.platform must be one of linux/amd64, linux/arm64, got "linux/riscv"
`,
  },
  {
    title: 'a model without a provider',
    words: ['bootstrap', '--repo', './demo', '--llm', 'large'],
    stderr: `bad_model: --llm large: there is no provider/model
  fix: --llm PROVIDER/large
`,
  },
  {
    title: 'bootstrap of a repository that carries a password, in a language that nobody speaks, without a sandbox',
    words: ['bootstrap', '--repo', 'https://me:secret@example.com/a/b', '--language', 'pyton'],
    stderr: `secret_in_config: --repo: repo.url carries a credential
  fix: put the token into a variable and give its name as repo.auth_token_env
unknown_language: --language: there is no language "pyton"
  fix: did you mean python?
`,
  },
  {
    title: 'bootstrap with a folder that is no repository',
    words: ['bootstrap', '--repo', './nothing', '--sandbox', 'local'],
    stderr: `repo_not_found: there is no folder DIR/nothing
  fix: Give the path of an existing folder, a git URL, or owner/name for GitHub.
`,
  },
  {
    title: 'an environment that is not stored',
    words: ['bootstrap', 'show', 'acme__calc'],
    stderr: `no_environment: there is no stored environment "acme__calc"
  fix: r2e bootstrap --repo PATH makes one
`,
  },
  {
    title: 'an unknown sub-command of bootstrap',
    words: ['bootstrap', 'lst'],
    stderr: `unknown_command: unknown command 'bootstrap lst'
  fix: one of: list, show, prune, rebuild; or r2e bootstrap --repo ./project
`,
  },
  {
    title: 'a missing configuration file',
    words: ['generate', '--config', 'none.yaml'],
    stderr: `config_not_found: cannot read none.yaml: ENOENT
  fix: looked at DIR/none.yaml; r2e init writes a sample
`,
  },
  {
    title: 'misspelt sections and keys, all at once, each with its place',
    words: ['generate', '--config', 'c.yaml'],
    files: {
      'c.yaml': 'repo:\n  url: ./demo\n  reff: x\nbootstrp: {}\noutputs:\n  destination: out\npipelne: {name: x}\n',
    },
    stderr: `unknown_key: c.yaml:3:3: there is no key "reff" in repo
  fix: did you mean ref?
unknown_key: c.yaml:4:1: there is no key "bootstrp"
  fix: did you mean bootstrap?
unknown_key: c.yaml:5:1: there is no key "outputs"
  fix: did you mean output?
unknown_key: c.yaml:7:1: there is no key "pipelne"
  fix: did you mean pipeline?
`,
  },
  {
    title: 'a misspelt key whose value is null',
    words: ['generate', '--config', 'c.yaml'],
    files: { 'c.yaml': start('bootstrp:\n') },
    stderr: `unknown_key: c.yaml:5:1: there is no key "bootstrp"
  fix: did you mean bootstrap?
`,
  },
  {
    title: 'a misspelt option in the file',
    words: ['generate', '--config', 'c.yaml'],
    files: {
      'c.yaml': `repo: {url: ./d}\noutput: {destination: o}\npipeline:\n  name: ${samplePipeline}\n  options:\n    limt: 3\n`,
    },
    stderr: `unknown_option: c.yaml:6:5: there is no key "limt" in pipeline.options
  fix: did you mean limit?
`,
  },
  {
    title: 'a misspelt option in a TOML file',
    words: ['generate', '--config', 'c.toml'],
    files: {
      'c.toml': `[repo]\nurl = "./d"\n[output]\ndestination = "o"\n[pipeline]\nname = "${samplePipeline}"\n[pipeline.options]\n  limt = 3\n`,
    },
    stderr: `unknown_option: c.toml:8:3: there is no key "limt" in pipeline.options
  fix: did you mean limit?
`,
  },
  {
    title: 'a misspelt option on the command line',
    words: ['generate', ...base, '--pipeline-opt', 'limt=3'],
    stderr: `unknown_option: --pipeline-opt limt: there is no key "limt" in pipeline.options
  fix: did you mean limit?
`,
  },
  {
    title: 'an option without a value',
    words: ['generate', ...base, '--pipeline-opt', 'limit'],
    stderr: `bad_option: --pipeline-opt limit: there is no key=value
  fix: --pipeline-opt limit=VALUE
`,
  },
  {
    title: 'wrong types, each with its place',
    words: ['generate', '--config', 'c.yaml', '--concurrency', 'many', '--pipeline-opt', 'limit=0'],
    files: { 'c.yaml': start('sandbox: {timeout_sec: 1.5, provider: dokcer}\nqa: [a]\n') },
    stderr: `wrong_type: c.yaml:6:1: qa must be a mapping, not ["a"]
`,
  },
  {
    title: 'wrong values of the configuration',
    words: ['generate', '--config', 'c.yaml', '--concurrency', 'many'],
    files: { 'c.yaml': start('sandbox: {timeout_sec: 1.5, provider: dokcer}\nseed: -1\nspec_version: 0.2.0\n') },
    stderr: `wrong_type: c.yaml:7:1: spec_version must be "0.1.0", got "0.2.0"
wrong_value: c.yaml:5:29: sandbox.provider must be one of auto, none, docker, local, got "dokcer"
  fix: did you mean docker?
wrong_type: --concurrency: sandbox.concurrency must be a number, got "many"
wrong_value: c.yaml:5:11: sandbox.timeout_sec must be a whole number, got 1.5
wrong_value: c.yaml:6:1: seed must be at least 0, got -1
`,
  },
  {
    title: 'wrong values of options',
    words: ['generate', ...base, '--limit', '0', '--pipeline-opt', 'kind=smal', '--pipeline-opt', 'strictly=maybe'],
    stderr: `wrong_value: --limit: pipeline.options.limit must be at least 1, got 0
wrong_type: --pipeline-opt strictly: pipeline.options.strictly must be true or false, got "maybe"
wrong_value: --pipeline-opt kind: pipeline.options.kind must be one of small, large, got "smal"
  fix: did you mean small?
`,
  },
  {
    title: 'an option of a section that does not exist',
    words: ['generate', ...base, '--bootstrap-opt', 'user_dockerfil=F'],
    stderr: `unknown_key: --bootstrap-opt user_dockerfil: there is no key "user_dockerfil" in bootstrap
  fix: known here: enabled, base_image, languages_hint, force, setup, test_cmd, cache_dir, platform, image_registry, max_seconds, max_iterations, max_llm_spend_usd
`,
  },
  {
    title: 'broken YAML',
    words: ['generate', '--config', 'c.yaml'],
    files: { 'c.yaml': 'repo:\n  url: "a\n' },
    stderr: `bad_yaml: c.yaml:3:1: Missing closing "quote
  fix: mend the file at this place
`,
  },
  {
    title: 'broken TOML',
    words: ['generate', '--config', 'c.toml'],
    files: { 'c.toml': '[repo]\nurl = a\n' },
    stderr: `bad_toml: c.toml:2:7: invalid value
  fix: mend the file at this place
`,
  },
  {
    title: 'a misspelt variable',
    words: ['generate', ...base],
    files: { '.env': 'R2E_SANDBOX__TIMOUT_SEC=3\n' },
    stderr: `unknown_key: R2E_SANDBOX__TIMOUT_SEC: there is no key "timout_sec" in sandbox
  fix: did you mean timeout_sec?
`,
  },
  {
    title: 'a model without provider',
    words: ['generate', ...base, '--llm', 'gpt'],
    stderr: `bad_model: --llm gpt: there is no provider/model
  fix: --llm PROVIDER/gpt
`,
  },
  {
    title: 'a fallback without provider',
    words: ['generate', ...base, '--llm', 'a/b', '--llm-fallback', 'c/'],
    stderr: `bad_model: --llm-fallback c/: there is no provider/model
  fix: --llm-fallback PROVIDER/c/
`,
  },
  {
    title: 'too many fallbacks',
    words: [
      'generate',
      ...base,
      '--llm',
      'a/b',
      ...['c/d', 'e/f', 'g/h', 'i/j'].flatMap((name) => ['--llm-fallback', name]),
    ],
    stderr: `too_many_fallbacks: --llm-fallback is given 4 times
  fix: give at most 3
`,
  },
  {
    title: 'a price without a model',
    words: ['generate', ...base, '--price', '1,2'],
    stderr: `missing_value: llm.provider and llm.model are not set
  fix: give --llm, or a file with --config (r2e init writes one)
`,
  },
  {
    title: 'prices for more models than there are',
    words: ['generate', ...base, '--llm', 'a/b', '--price', '1,2', '--price', '3,4'],
    stderr: `missing_value: llm.fallback.provider and llm.fallback.model are not set
  fix: give --llm-fallback, or a file with --config (r2e init writes one)
`,
  },
  {
    title: 'a price that is none',
    words: ['generate', ...base, '--llm', 'a/b', '--price', '3'],
    stderr: `wrong_value: --price: llm.price must be USD for a million tokens, input and output, such as "3,15", got "3"
`,
  },
  {
    title: 'an endpoint with more than an address',
    words: ['generate', ...base, '--llm', 'a/b', '--llm-endpoint', 'https://me:word@host/v1'],
    stderr: `bad_endpoint: --llm-endpoint: llm.endpoint must be the base URL alone: http or https, no credential, query or fragment
  fix: for instance http://localhost:8000/v1; the key goes into a variable, named by --llm-key-env
`,
  },
  {
    title: 'a model that the price and the key of the file are not for',
    words: ['generate', ...base, '--config', 'c.yaml', '--llm', 'groq/b'],
    files: { 'c.yaml': 'llm:\n  provider: openai\n  model: a\n  api_key_env: MY_KEY\n  price: "1,2"\n' },
    stderr: `conflict: c.yaml:4:3: llm.api_key_env is that of openai/a, and the run has groq/b
  fix: give --llm-key-env for this model, or take the model of the file
conflict: c.yaml:5:3: llm.price is that of openai/a, and the run has groq/b
  fix: give --price for this model, or take the model of the file
`,
  },
  {
    title: 'a fallback that the price of the file is not for',
    words: ['generate', ...base, '--config', 'c.yaml', '--llm-fallback', 'vllm/c'],
    files: {
      'c.yaml':
        'llm:\n  provider: openai\n  model: a\n  fallback:\n    provider: vllm\n    model: b\n    price: "1,2"\n',
    },
    stderr: `conflict: c.yaml:7:5: llm.fallback.price is that of vllm/b, and the run has vllm/c
  fix: give --price for this model, or take the model of the file
`,
  },
  {
    title: 'a destination on the hub',
    words: ['generate', '--repo', './demo', '--pipeline', samplePipeline, '--out', 'hf://me/set'],
    stderr: `not_yet: --out: hf://me/set: this version writes to folders only, publishing comes later
  fix: give a folder, for instance --out ./dataset
`,
  },
  {
    title: 'a bare word for a repository',
    words: ['generate', '--repo', 'demo', '--pipeline', samplePipeline, '--out', 'o'],
    stderr: `bad_repository: --repo: "demo" is neither owner/name, nor a URL, nor a path
  fix: did you mean ./demo?
`,
  },
  {
    title: 'an unknown language',
    words: ['generate', ...base, '--language', 'pyton'],
    stderr: `unknown_language: --language: there is no language "pyton"
  fix: did you mean python?
`,
  },
  {
    title: '--append with --force',
    words: ['generate', ...base, '--append', '--force'],
    stderr: `conflict: --force: output.append keeps standing tasks and output.force replaces them
  fix: give one of the two
`,
  },
  {
    title: 'a root for Docker',
    words: ['generate', ...base, '--sandbox', 'docker', '--sandbox-opt', 'rootfs=/r'],
    stderr: `conflict: --sandbox-opt rootfs: sandbox.rootfs is for the local sandbox, and sandbox.provider is docker
  fix: give --sandbox local
`,
  },
  {
    title: 'an empty state folder',
    words: ['generate', ...base, '--state-dir', ''],
    stderr: `missing_value: --state-dir is empty
  fix: give a path
`,
  },
  {
    title: 'an empty folder to validate',
    words: ['validate', ''],
    stderr: `missing_value: <path> is empty
  fix: give a path
`,
  },
  {
    title: 'reward without its flags',
    words: ['reward', '--task', '.'],
    stderr: `missing_value: --prediction is not given
  fix: r2e reward --task DIR --prediction FILE
`,
  },
]

for (const { title, words, files, code, stderr } of cases) {
  it(`answers in one line what, where and what to do, and writes nothing: ${title} [W34]`, async () => {
    const cwd = await folder(files)
    const before = await readdir(cwd)
    const result = await r2e(words, { cwd })
    expect(result.stderr.replaceAll(cwd, 'DIR')).toBe(stderr)
    expect(result.stdout).toBe('')
    expect(result.code).toBe(code ?? 2)
    expect(await readdir(cwd)).toEqual(before)
  })
}

const token = `ghp_${'a'.repeat(36)}`
for (const key of [
  `gsk_${'aB3'.repeat(15)}`,
  `AIzaSy${'aB3'.repeat(11)}`,
  'f3'.repeat(32),
  `sk-proj-${'aB3'.repeat(15)}`,
])
  for (const flag of ['--llm-key-env', 'R2E_LLM__FALLBACK__API_KEY_ENV'])
    it(`takes the key ${key.slice(0, 8)}… for a key where a name belongs, and never prints it: ${flag} [I3]`, async () => {
      const words = [
        '--repo',
        './x',
        '--llm',
        'a/b',
        '--llm-fallback',
        'c/d',
        '--pipeline',
        samplePipeline,
        '--out',
        'o',
      ]
      const given = flag.startsWith('--') ? { more: [flag, key] } : { env: { [flag]: key } }
      const result = await r2e(['config', 'print', ...words, ...(given.more ?? [])], { env: given.env ?? {} })
      expect(result).toMatchObject({ code: 2, stdout: '', stderr: expect.stringMatching(/^secret_in_config: /) })
      expect(result.stderr).not.toContain(key)
    })
for (const words of [
  ['--repo', `https://${token}@github.com/a/b`],
  ['--repo', `https://me:${token}@github.com/a/b`],
  ['--repo', './x', '--llm', 'a/b', '--llm-key-env', token],
]) {
  it(`refuses a secret as a value and never prints it: ${words.at(-2)} [I3]`, async () => {
    const result = await r2e(['generate', ...words, '--pipeline', samplePipeline, '--out', 'o', '--json', '-v'])
    expect(result.code).toBe(2)
    expect(JSON.parse(result.stdout)).toMatchObject({ code: 'secret_in_config', fault: 'user' })
    expect(result.stdout + result.stderr).not.toContain(token)
  })
}

it('gives the error as one object on standard output with --json, before or after the command', async () => {
  for (const words of [
    ['--json', 'generate'],
    ['generate', '--json'],
    ['generate', '--json', '--limt'],
  ]) {
    const { stdout, code } = await r2e(words)
    expect(stdout.trimEnd().split('\n')).toHaveLength(1)
    expect(Object.keys(JSON.parse(stdout)).sort()).toEqual(['code', 'details', 'fault', 'fix', 'message'])
    expect(code).toBe(2)
  }
})

it('shows a trace with --verbose only', async () => {
  expect((await r2e(['generate'])).stderr).not.toContain('    at ')
  expect((await r2e(['generate', '-v'])).stderr).toContain('    at ')
})

it.skipIf(!existsSync('/dev/full'))('says that its output was lost, and does not call that a success', async () => {
  const lost = async (...words: string[]) => {
    const full = openSync('/dev/full', 'w')
    const argv = ['--conditions=@r2e/source', main, ...words]
    const child = spawn(process.execPath, argv, { stdio: ['ignore', full, 'pipe'] })
    closeSync(full)
    const stderr = await text(child.stderr!)
    return { stderr, code: child.exitCode ?? (await once(child, 'exit'))[0] }
  }
  expect(await lost('--help')).toEqual({ stderr: '', code: 1 })
  const { stderr, code } = await lost('pipelines', 'list')
  expect(stderr).toContain('the output cannot be written (ENOSPC)')
  expect(stderr).not.toContain('    at ')
  expect(code).toBe(130)
})
