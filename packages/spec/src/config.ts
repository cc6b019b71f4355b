import * as v from 'valibot'

/**
 * The configuration of a run: snake_case keys, strict at every level (contract §2). What a user writes is the input of
 * these schemas; what the engine reads is their output. Secrets are names of environment variables.
 */
const text = (description: string, fallback: string) =>
  v.optional(v.pipe(v.string(), v.minLength(1), v.description(description)), fallback)
const maybe = (description: string) =>
  v.optional(v.nullable(v.pipe(v.string(), v.minLength(1), v.description(description))), null)
const flag = (description: string, fallback: boolean) =>
  v.optional(v.pipe(v.boolean(), v.description(description)), fallback)
const count = (description: string, fallback: number, least = 1) =>
  v.optional(v.pipe(v.number(), v.integer(), v.minValue(least), v.description(description)), fallback)
const amount = (description: string, fallback: number) =>
  v.optional(v.pipe(v.number(), v.minValue(0), v.description(description)), fallback)
const list = (description: string, fallback: string[] = []) =>
  v.optional(v.pipe(v.array(v.string()), v.description(description)), fallback)

export const RepoConfig = v.strictObject({
  url: v.pipe(v.string(), v.minLength(1), v.description('owner/name, any git URL, or a path')),
  ref: text('branch, tag or commit to read', 'HEAD'),
  access: v.optional(
    v.pipe(v.picklist(['public', 'private', 'auto']), v.description('whether the source is private')),
    'auto',
  ),
  auth_token_env: maybe('name of the variable that holds the token for this repository'),
  sparse_paths: list('only changes below these paths become candidates'),
})

export const PipelineConfig = v.strictObject({
  name: v.pipe(v.string(), v.minLength(1), v.description('name of the pipeline')),
  options: v.optional(v.record(v.string(), v.unknown()), {}),
})

const modelEntries = {
  provider: v.pipe(v.string(), v.minLength(1), v.description('a preset, or any word where the endpoint is given')),
  model: v.pipe(v.string(), v.minLength(1), v.description('name of the model, as the endpoint has it')),
  api_key_env: maybe('name of the variable that holds the key; default: that of the preset'),
  endpoint: maybe('base URL of an OpenAI-compatible endpoint; default: that of the preset'),
  price: v.optional(
    v.nullable(
      v.pipe(
        v.string(),
        v.regex(
          /^\s*\d+(?:\.\d{1,6})?\s*,\s*\d+(?:\.\d{1,6})?\s*$/,
          'must be USD for a million tokens, input and output, such as "3,15"',
        ),
        v.description('USD for a million tokens, "INPUT,OUTPUT"; unset = unknown, which is not 0'),
      ),
    ),
    null,
  ),
  max_concurrent: count('calls at one time', 5),
  timeout_sec: count('limit of one call', 120),
}
const fallback = <T extends v.GenericSchema>(schema: T) =>
  v.optional(v.nullable(v.pipe(schema, v.description('model that is asked where this one fails'))), null)
const LastFallback = v.strictObject(modelEntries)
const SecondFallback = v.strictObject({ ...modelEntries, fallback: fallback(LastFallback) })
const FirstFallback = v.strictObject({ ...modelEntries, fallback: fallback(SecondFallback) })

/** A model, and up to three others that stand in for it, each inside the one before. */
export const LlmConfig = v.strictObject({ ...modelEntries, fallback: fallback(FirstFallback) })

export const OutputConfig = v.strictObject({
  destination: v.pipe(v.string(), v.minLength(1), v.description('folder of the dataset')),
  org: v.optional(
    v.pipe(v.string(), v.regex(/^[A-Za-z0-9][A-Za-z0-9._-]*$/), v.description('first half of task names')),
    'default',
  ),
  dataset_name: maybe('name of the dataset; default: last part of the destination'),
  visibility: v.optional(
    v.pipe(v.picklist(['public', 'private']), v.description('of the published dataset')),
    'public',
  ),
  append: flag('keep the tasks that stand in the destination', false),
  force: flag('replace a dataset of another configuration', false),
})

export const QaConfig = v.strictObject({
  enabled: flag('run the checks before a task is admitted', true),
  layers: v.optional(
    v.pipe(
      v.array(v.picklist(['diff_parse', 'determinism', 'oracle_consistency'])),
      v.description('checks that run; a task without one of them is unverified'),
    ),
    ['diff_parse', 'determinism', 'oracle_consistency'],
  ),
  determinism_runs: count('fresh runs of the broken and of the solved state', 3),
  oracle_runs: count('times the final task is scored, with its oracle and without', 3),
  skip_on_fail: v.optional(
    v.pipe(
      v.literal(true, 'a task that fails a check is never written'),
      v.description('drop a task that fails a check'),
    ),
    true,
  ),
})

export const SandboxConfig = v.strictObject({
  provider: v.optional(
    v.pipe(v.picklist(['auto', 'none', 'docker', 'local']), v.description('where code runs')),
    'auto',
  ),
  concurrency: count('sandboxes at one time; never more than cores', 10),
  network: v.optional(
    v.pipe(v.picklist(['open', 'build_open_run_restricted', 'none']), v.description('network of our own runs')),
    'build_open_run_restricted',
  ),
  timeout_sec: count('limit of one test run', 600),
  build_timeout_sec: count('limit of one environment build', 1800),
  cpus: v.optional(v.pipe(v.number(), v.minValue(0.1), v.description('processors of one sandbox')), 1),
  memory_mb: count('memory of one sandbox', 4096),
  pids: count('processes of one sandbox', 1024),
  rootfs: maybe('local sandbox: an unpacked image root that stands for the base image'),
})

export const BootstrapConfig = v.strictObject({
  enabled: flag('infer an environment', true),
  base_image: maybe('base image instead of the inferred one'),
  languages_hint: list('languages to try first'),
  force: flag('ignore cached environments', false),
  setup: list('commands run in the environment after its dependencies'),
  test_cmd: maybe('command that runs the tests, instead of the inferred one'),
  cache_dir: text('folder of proven environments', './envs'),
  platform: v.optional(
    v.nullable(
      v.pipe(v.picklist(['linux/amd64', 'linux/arm64']), v.description('of the images; default: that of this machine')),
    ),
    null,
  ),
  image_registry: v.optional(
    v.nullable(
      v.pipe(
        v.string(),
        v.regex(/^[a-z0-9][a-z0-9._:/-]*[a-z0-9]$/, 'must be a host and a path, such as ghcr.io/acme'),
        v.description('first part of the names of images; default: local/r2e-bootstrap'),
      ),
    ),
    null,
  ),
  max_seconds: count('limit of making one environment', 1800),
  max_iterations: count('turns of the model that mends an environment', 25),
  max_llm_spend_usd: amount('cap of the model calls that mend environments, inside max_spend_usd', 5),
})

export const AuthConfig = v.strictObject({
  github_token_env: text('name of the variable with the GitHub token', 'GITHUB_TOKEN'),
  use_gh_cli: flag('ask the gh program for a token', true),
  hf_token_env: text('name of the variable with the Hugging Face token', 'HF_TOKEN'),
  use_hf_cli: flag('use the token file of the Hugging Face client', true),
})

export const ConfigSchema = v.strictObject({
  spec_version: v.optional(v.pipe(v.literal('0.1.0'), v.description('version of this format')), '0.1.0'),
  repo: RepoConfig,
  pipeline: PipelineConfig,
  output: OutputConfig,
  llm: v.optional(v.nullable(LlmConfig), null),
  qa: v.optional(QaConfig, {}),
  sandbox: v.optional(SandboxConfig, {}),
  bootstrap: v.optional(BootstrapConfig, {}),
  auth: v.optional(AuthConfig, {}),
  seed: count('seed of every random choice', 0, 0),
  strict: flag('stop at the first internal fault', false),
  max_spend_usd: amount('cap of all model calls of a run, resumed or not; 0 = no cap', 5),
  max_spend_tokens: count(
    'the same in tokens, input and output together, for models without a price; 0 = no cap',
    0,
    0,
  ),
})

/** What a user writes. */
export type WrittenConfig = v.InferInput<typeof ConfigSchema>
/** What the engine reads: every key present. */
export type RunConfig = v.InferOutput<typeof ConfigSchema>
