import type { Flag } from './command.ts'

/** The flags that set configuration values; `generate` and `config print` share them. */
export const CONFIG_FLAGS: readonly Flag[] = [
  { flags: '--config <path>', text: 'configuration file: yaml, yml, toml or json; never looked for by itself' },
  { flags: '--repo <url>', text: 'owner/name, any git URL, or a path (absolute, ~, ./ or ../)', sets: 'repo.url' },
  { flags: '--ref <ref>', text: 'branch, tag or commit to read (default HEAD)', sets: 'repo.ref' },
  {
    flags: '--access <kind>',
    text: 'public, private or auto (default auto)',
    sets: 'repo.access',
  },
  { flags: '--pipeline <name>', text: 'see: r2e pipelines list', sets: 'pipeline.name' },
  {
    flags: '--pipeline-opt <key=value>',
    text: 'option of the pipeline; layers on the file',
    section: 'pipeline.options',
    repeat: true,
  },
  { flags: '--limit <count>', text: 'tasks to admit; short for --pipeline-opt limit=', sets: 'pipeline.options.limit' },
  { flags: '--llm <provider/model>', text: 'model, only where something needs one', sets: 'llm' },
  {
    flags: '--llm-endpoint <url>',
    text: 'base URL of an OpenAI-compatible endpoint; repeated: of the fallbacks, in their order',
    sets: 'llm.endpoint',
    repeat: true,
  },
  {
    flags: '--llm-key-env <name>',
    text: 'name of the variable that holds the key; repeated: of the fallbacks, in their order',
    sets: 'llm.api_key_env',
    repeat: true,
  },
  {
    flags: '--llm-fallback <provider/model>',
    text: 'model that is asked where the one before fails; up to three times',
    sets: 'llm.fallback',
    repeat: true,
  },
  {
    flags: '--price <in,out>',
    text: 'USD for a million tokens; repeated: of the fallbacks, in their order',
    sets: 'llm.price',
    repeat: true,
  },
  { flags: '--out <dir>', text: 'folder of the dataset', sets: 'output.destination' },
  { flags: '--org <name>', text: 'first half of task names (default "default")', sets: 'output.org' },
  { flags: '--dataset-name <name>', text: 'default: last part of --out', sets: 'output.dataset_name' },
  {
    flags: '--visibility <kind>',
    text: 'public or private (default public)',
    sets: 'output.visibility',
  },
  { flags: '--append', text: 'keep the tasks that stand in --out', sets: 'output.append' },
  { flags: '--force', text: 'replace a dataset of another configuration in --out', sets: 'output.force' },
  {
    flags: '--max-spend-usd <amount>',
    text: 'cap of all model calls, 0 = no cap (default 5)',
    sets: 'max_spend_usd',
  },
  {
    flags: '--max-spend-tokens <count>',
    text: 'the same in tokens, for models without a price, 0 = no cap (default 0)',
    sets: 'max_spend_tokens',
  },
  {
    flags: '--language <name>',
    text: 'the language of the tests, whatever the manifests suggest; of several the first counts',
    sets: 'bootstrap.languages_hint',
    repeat: true,
  },
  { flags: '--base-image <image>', text: 'base image instead of the inferred one', sets: 'bootstrap.base_image' },
  { flags: '--force-bootstrap', text: 'ignore cached environments', sets: 'bootstrap.force' },
  {
    flags: '--setup <command>',
    text: 'command run in the environment after its dependencies; may be repeated',
    sets: 'bootstrap.setup',
    repeat: true,
  },
  { flags: '--test-cmd <command>', text: 'command that runs the tests', sets: 'bootstrap.test_cmd' },
  {
    flags: '--sandbox <kind>',
    text: 'auto, docker, local or none (default auto: docker if it answers, else local)',
    sets: 'sandbox.provider',
  },
  { flags: '--concurrency <count>', text: 'sandboxes at one time, never more than cores', sets: 'sandbox.concurrency' },
  { flags: '--sandbox-opt <key=value>', text: 'value of the section sandbox', section: 'sandbox', repeat: true },
  { flags: '--qa-opt <key=value>', text: 'value of the section qa', section: 'qa', repeat: true },
  { flags: '--bootstrap-opt <key=value>', text: 'value of the section bootstrap', section: 'bootstrap', repeat: true },
  { flags: '--seed <number>', text: 'seed of every random choice (default 0)', sets: 'seed' },
  { flags: '--strict', text: 'stop at the first internal fault', sets: 'strict' },
  { flags: '--state-dir <dir>', text: 'folder of runs, blobs and cache (default .r2e beside the configuration file)' },
]

/** The flags of `generate` that say how to run, not what. */
export const RUN_FLAGS: readonly Flag[] = [
  { flags: '--dry-run', text: 'list candidates and first-stage skips; write nothing' },
  { flags: '--resume [run]', text: 'go on with a run (default: the newest with this configuration)' },
]
