import type { Flag } from './command.ts'
import { CONFIG_FLAGS } from './generate-flags.ts'

/** Flags that mean the same to `generate`. */
const SHARED = [
  'repo',
  'ref',
  'access',
  'llm',
  'llm-endpoint',
  'llm-key-env',
  'llm-fallback',
  'price',
  'max-spend-usd',
  'max-spend-tokens',
  'language',
  'base-image',
  'setup',
  'test-cmd',
  'sandbox',
  'sandbox-opt',
  'bootstrap-opt',
]

export const CACHE_FLAG: Flag = {
  flags: '--cache-dir <dir>',
  text: 'folder of proven environments (default ./envs)',
  sets: 'bootstrap.cache_dir',
}

const STATE_FLAG: Flag = { flags: '--state-dir <dir>', text: 'folder of clones and cached layers (default ./.r2e)' }

/** The folders that caches lie in. */
export const CACHE_FLAGS: readonly Flag[] = [CACHE_FLAG, STATE_FLAG]

/** Which sandbox holds the images of environments. */
export const KEEPER_FLAGS: readonly Flag[] = [
  CACHE_FLAG,
  { flags: '--sandbox <kind>', text: 'auto, docker or local (default auto)', sets: 'sandbox.provider' },
  { flags: '--sandbox-opt <key=value>', text: 'value of the section sandbox', section: 'sandbox', repeat: true },
  STATE_FLAG,
]

/** The flags of `bootstrap`: of every one but the state folder, the configuration value that it sets. */
export const BOOTSTRAP_FLAGS: readonly Flag[] = [
  ...CONFIG_FLAGS.filter(({ flags }) => SHARED.includes(/--([a-z-]+)/.exec(flags)![1]!)),
  { flags: '--max-iterations <count>', text: 'turns of the model (default 25)', sets: 'bootstrap.max_iterations' },
  { flags: '--max-seconds <count>', text: 'limit of all of it (default 1800)', sets: 'bootstrap.max_seconds' },
  CACHE_FLAG,
  {
    flags: '--image-registry <prefix>',
    text: 'first part of the names of images (default local/r2e-bootstrap); nothing is pushed',
    sets: 'bootstrap.image_registry',
  },
  {
    flags: '--platform <platform>',
    text: 'linux/amd64 or linux/arm64: that of this machine',
    sets: 'bootstrap.platform',
  },
  { flags: '--force', text: 'make it again, whatever is stored', sets: 'bootstrap.force' },
  STATE_FLAG,
]
