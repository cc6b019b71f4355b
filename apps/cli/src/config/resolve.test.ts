import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { type InProcessOptions, inProcess } from '../__fixtures__/in-process.ts'
import { folder, samplePipeline } from '../__fixtures__/spawn-cli.ts'
import { CONFIG_FLAGS } from '../commands/generate-flags.ts'
import { longName } from './flag-assignments.ts'

interface Printed {
  readonly config: Record<string, unknown>
  readonly values: readonly { path: string; value: unknown; origin: string }[]
  readonly state_dir: string
}

async function print(words: readonly string[], options: InProcessOptions = {}): Promise<Printed> {
  const { stdout } = await inProcess(['config', 'print', '--json', ...words], options)
  return JSON.parse(stdout)
}

const base = ['--repo', './demo', '--pipeline', samplePipeline, '--out', './out']

/** Every flag that sets a value: words, path, value as resolved in /tmp/DIR. */
const effects: Readonly<Record<string, readonly [words: readonly string[], path: string, value: unknown]>> = {
  repo: [['--repo', '~/code'], 'repo.url', '/home/nobody/code'],
  ref: [['--ref', '1.0'], 'repo.ref', '1.0'],
  access: [['--access', 'private'], 'repo.access', 'private'],
  pipeline: [[], 'pipeline.name', 'sample'],
  'pipeline-opt': [['--pipeline-opt', 'strictly=FALSE'], 'pipeline.options.strictly', false],
  limit: [['--limit', '7'], 'pipeline.options.limit', 7],
  llm: [['--llm', 'vllm/org/model'], 'llm.model', 'org/model'],
  'llm-endpoint': [['--llm', 'a/b', '--llm-endpoint', 'http://h/v1'], 'llm.endpoint', 'http://h/v1'],
  'llm-key-env': [['--llm', 'a/b', '--llm-key-env', 'MY_KEY'], 'llm.api_key_env', 'MY_KEY'],
  'llm-fallback': [
    ['--llm', 'a/b', '--llm-fallback', 'c/d', '--llm-fallback', 'e/f'],
    'llm.fallback.fallback.model',
    'f',
  ],
  price: [['--llm', 'a/b', '--llm-fallback', 'c/d', '--price', '1,2', '--price', '3,4'], 'llm.fallback.price', '3,4'],
  'max-spend-tokens': [['--max-spend-tokens', '9'], 'max_spend_tokens', 9],
  out: [['--out', '/data/set'], 'output.dataset_name', 'set'],
  org: [['--org', 'acme'], 'output.org', 'acme'],
  'dataset-name': [['--dataset-name', 'n'], 'output.dataset_name', 'n'],
  visibility: [['--visibility', 'private'], 'output.visibility', 'private'],
  append: [['--append'], 'output.append', true],
  force: [['--force'], 'output.force', true],
  'max-spend-usd': [['--max-spend-usd', '0.5'], 'max_spend_usd', 0.5],
  language: [['--language', 'TS', '--language', 'python'], 'bootstrap.languages_hint', ['javascript', 'python']],
  'base-image': [['--base-image', 'lab/go'], 'bootstrap.base_image', 'lab/go'],
  'force-bootstrap': [['--force-bootstrap'], 'bootstrap.force', true],
  setup: [['--setup', 'a, b', '--setup', 'c'], 'bootstrap.setup', ['a, b', 'c']],
  'test-cmd': [['--test-cmd', 'make test'], 'bootstrap.test_cmd', 'make test'],
  sandbox: [['--sandbox', 'local'], 'sandbox.provider', 'local'],
  concurrency: [['--concurrency', '3'], 'sandbox.concurrency', 3],
  'sandbox-opt': [['--sandbox-opt', 'memory_mb=512'], 'sandbox.memory_mb', 512],
  'qa-opt': [['--qa-opt', 'layers=["determinism"]'], 'qa.layers', ['determinism']],
  'bootstrap-opt': [['--bootstrap-opt', 'max_seconds=60'], 'bootstrap.max_seconds', 60],
  seed: [['--seed', '42'], 'seed', 42],
  strict: [['--strict'], 'strict', true],
}

for (const flag of CONFIG_FLAGS) {
  const name = longName(flag)
  if (name === 'config' || name === 'state-dir') continue
  it(`--${name} takes effect`, async () => {
    const [words, path, value] = effects[name]!
    const given =
      words.includes('--repo') || words.includes('--out') ? base.filter((_, i) => base[i & ~1] !== words[0]) : base
    const { values } = await print([...given, ...words], { home: '/home/nobody' })
    const row = values.find((row) => row.path === path)
    expect(row?.value).toEqual(value)
    if (path !== 'output.dataset_name' || name !== 'out') expect(row?.origin).toMatch(new RegExp(`^--${name}`))
  })
}

it('takes flags over variables over the file over defaults, and says where each value comes from', async () => {
  const text = `repo:\n  url: ./from-file\n  ref: v1\npipeline:\n  name: ${samplePipeline}\n  options: {limit: 1, kind: large, since: a}\noutput: {destination: o}\nseed: 5\n`
  const cwd = await folder({ 'c.yaml': text, '.env': 'R2E_SEED=6\nR2E_SANDBOX__PIDS=7\n' })
  const env = { R2E_PIPELINE__OPTIONS__LIMIT: '2', R2E_PIPELINE__OPTIONS__SINCE: '2024', R2E_SANDBOX__PIDS: '8' }
  const { values } = await print(['--config', 'c.yaml', '--limit', '3'], { cwd, env })
  const shown = Object.fromEntries(values.map(({ path, value, origin }) => [path, [value, origin]]))
  expect(shown).toMatchObject({
    'repo.url': [join(cwd, 'from-file'), 'c.yaml:2:3'],
    'repo.ref': ['v1', 'c.yaml:3:3'],
    'repo.access': ['auto', 'default'],
    'pipeline.options.limit': [3, '--limit'],
    'pipeline.options.since': ['2024', 'R2E_PIPELINE__OPTIONS__SINCE'],
    'pipeline.options.kind': ['large', 'c.yaml:6:23'],
    seed: [6, 'R2E_SEED'],
    'sandbox.pids': [8, 'R2E_SANDBOX__PIDS'],
    'sandbox.cpus': [1, 'default'],
  })
})

it('lets a single flag override only itself', async () => {
  const text = `repo: {url: ./a, ref: v1, access: private}\npipeline: {name: ${samplePipeline}}\noutput: {destination: o, org: x}\n`
  const cwd = await folder({ 'c.yaml': text })
  const { config } = await print(['--config', 'c.yaml', '--repo', './b', '--dataset-name', 'n'], { cwd })
  expect(config).toMatchObject({
    repo: { url: join(cwd, 'b'), ref: 'v1', access: 'private' },
    output: { destination: join(cwd, 'o'), org: 'x', dataset_name: 'n' },
  })
})

it('lets null in the file stand for the default', async () => {
  const text = `repo: {url: ./a, ref: null}\npipeline: {name: ${samplePipeline}, options: {limit: null}}\noutput: {destination: o}\nllm: null\nqa:\n`
  const cwd = await folder({ 'c.yaml': text })
  const { config } = await print(['--config', 'c.yaml'], { cwd })
  expect(config).toMatchObject({
    repo: { ref: 'HEAD' },
    pipeline: { options: { limit: 50 } },
    llm: null,
    qa: { enabled: true },
  })
})

it('reads the examples of the contract: R2E_BOOTSTRAP__MAX_SECONDS and R2E_CACHE_DIR', async () => {
  const env = { R2E_BOOTSTRAP__MAX_SECONDS: '60', R2E_CACHE_DIR: '/cache' }
  const { config } = await print(base, { env })
  expect(config).toMatchObject({ bootstrap: { max_seconds: 60, cache_dir: '/cache' } })
})

it('gives yaml, toml and json the same meaning', async () => {
  const cwd = await folder({
    'a.yaml': `repo: {url: ./a}\npipeline: {name: ${samplePipeline}, options: {names: [x, y]}}\noutput: {destination: o}\n`,
    'a.toml': `repo.url = "./a"\noutput.destination = "o"\n[pipeline]\nname = "${samplePipeline}"\noptions = { names = ["x", "y"] }\n`,
    'a.json': JSON.stringify({
      repo: { url: './a' },
      pipeline: { name: samplePipeline, options: { names: ['x', 'y'] } },
      output: { destination: 'o' },
    }),
  })
  const [yaml, toml, json] = await Promise.all(
    ['yaml', 'toml', 'json'].map((kind) => print(['--config', `a.${kind}`], { cwd })),
  )
  expect(toml?.config).toEqual(yaml?.config)
  expect(json?.config).toEqual(yaml?.config)
})

it('keeps state beside the file, else in the working directory, else where --state-dir says', async () => {
  const cwd = await folder()
  await mkdir(join(cwd, 'sub'))
  await writeFile(join(cwd, 'sub/c.yaml'), '{}')
  expect((await print(base, { cwd })).state_dir).toBe(join(cwd, '.r2e'))
  expect((await print(['--config', 'sub/c.yaml', ...base], { cwd })).state_dir).toBe(join(cwd, 'sub/.r2e'))
  expect((await print([...base, '--state-dir', 'st'], { cwd })).state_dir).toBe(join(cwd, 'st'))
})

for (const [written, address] of [
  ['pallets/click', 'https://github.com/pallets/click'],
  ['pallets/click.git', 'https://github.com/pallets/click'],
  ['https://gitlab.example/a/b/c.git', 'https://gitlab.example/a/b/c.git'],
  ['git@host:a/b.git', 'git@host:a/b.git'],
  ['ssh://git@host/a/b', 'ssh://git@host/a/b'],
  ['file:///srv/x.git', 'file:///srv/x.git'],
  ['../x y', '/x y'],
  ['.', ''],
] as const) {
  it(`reads ${written} as a repository`, async () => {
    const cwd = await folder()
    await mkdir(join(cwd, 'here'))
    const options = { cwd: join(cwd, 'here') }
    const { config } = await print(['--repo', written, '--pipeline', samplePipeline, '--out', 'o'], options)
    const expected = written === '.' ? join(cwd, 'here') : address.startsWith('/') ? join(cwd, address) : address
    expect(config).toMatchObject({ repo: { url: expected } })
  })
}

it('finds a pipeline package from the folder of the configuration, and a path from where it was written', async () => {
  const cwd = await folder({ 'main.mjs': '' })
  const installed = join(cwd, 'project/node_modules/r2e-pipeline-my-own')
  await mkdir(installed, { recursive: true })
  const exports = { '.': { types: './x.d.ts', import: './entry.mjs' } }
  await writeFile(join(installed, 'package.json'), JSON.stringify({ name: 'r2e-pipeline-my-own', exports }))
  await writeFile(join(installed, 'entry.mjs'), `export { default } from ${JSON.stringify(samplePipeline)}\n`)
  const rest = 'repo: {url: ./a}\noutput: {destination: o}\n'
  await writeFile(join(cwd, 'project/c.yaml'), `pipeline: {name: my_own}\n${rest}`)
  await writeFile(join(cwd, 'project/p.yaml'), `pipeline: {name: ./node_modules/r2e-pipeline-my-own}\n${rest}`)
  for (const file of ['c.yaml', 'p.yaml']) {
    const { config } = await print(['--config', `project/${file}`], { cwd })
    expect(config).toMatchObject({ pipeline: { name: 'sample' } })
  }
  await expect(print(['--pipeline', './main.mjs', '--repo', './a', '--out', 'o'], { cwd })).rejects.toMatchObject({
    code: 'bad_pipeline',
    message: './main.mjs exports no pipeline of the contract r2e.pipeline/1',
  })
})

it('prints a table for people', async () => {
  const { stdout } = await inProcess(['config', 'print', ...base, '--seed', '3'])
  expect(stdout).toMatch(/^repo\.ref +"HEAD" +default$/m)
  expect(stdout).toMatch(/^seed +3 +--seed$/m)
})
