/** Keys that Harbor 0.25 knows; it drops all others without a word. `*`: anything below. */
type Keys = { readonly [key: string]: Keys | true }

const ENVIRONMENT: Keys = {
  build_timeout_sec: true,
  docker_image: true,
  cpus: true,
  memory_mb: true,
  storage_mb: true,
  gpus: true,
  gpu_types: true,
  tpu: true,
  os: true,
  env: true,
  workdir: true,
  healthcheck: true,
  mcp_servers: true,
  skills_dir: true,
  network_mode: true,
  allowed_hosts: true,
  allow_internet: true,
  memory: true,
  storage: true,
}
const ROOT: Keys = {
  schema_version: true,
  version: true,
  source: true,
  artifacts: true,
  multi_step_reward_strategy: true,
  steps: true,
  metadata: true,
  task: { name: true, version: true, description: true, authors: true, keywords: true },
  solution: { env: true },
  agent: { timeout_sec: true, user: true, network_mode: true, allowed_hosts: true },
  verifier: {
    timeout_sec: true,
    env: true,
    user: true,
    environment_mode: true,
    environment: ENVIRONMENT,
    collect: true,
    network_mode: true,
    allowed_hosts: true,
  },
  environment: ENVIRONMENT,
}

/** Dotted paths of keys that Harbor does not know. */
export function unknownKeys(toml: object, known: Keys = ROOT, prefix = ''): string[] {
  return Object.entries(toml).flatMap(([key, value]) => {
    const inner = Object.hasOwn(known, key) ? known[key] : undefined
    if (inner === undefined) return [prefix + key]
    if (inner === true || typeof value !== 'object' || value === null) return []
    return unknownKeys(value, inner, `${prefix}${key}.`)
  })
}
