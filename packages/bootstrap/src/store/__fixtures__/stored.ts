import { digestOf, type Recipe, recipeDigest } from '@r2e/spec'
import type { EnvironmentPlace } from '../environment-place.ts'
import type { EnvironmentRecord } from '../environment-record.ts'
import type { StoredRecipe } from '../stored-recipe.ts'

export const PLACE: EnvironmentPlace = {
  owner: 'acme',
  name: 'calc',
  commit: '0123456789abcdef0123456789abcdef01234567',
  options: { platform: 'linux/amd64' },
}

export const RECIPE: Recipe = {
  schema: 'r2e.recipe/1',
  language: 'python',
  baseImage: 'python:3.12',
  system: [],
  env: {},
  files: [],
  dependencies: [],
  setup: [],
  project: [],
  runner: 'pytest',
  suite: ['tests'],
  testEnv: {},
  manifests: [],
  origin: [],
}

/** A whole entry; a `mark` makes it another, as large as one of a real suite. */
export function storedRecipe(key: string, mark?: string): StoredRecipe {
  const recipe = mark === undefined ? RECIPE : { ...RECIPE, baseImage: mark, setup: [{ run: mark, network: false }] }
  const tests = Array.from({ length: mark === undefined ? 1 : 2000 }, (_, i) => [`tests/test_a.py::test_${i}`, 'PASSED'])
  const dockerfile = `FROM ${recipe.baseImage}\n`
  return {
    key,
    recipe,
    dockerfile,
    proof: {
      schema: 'r2e.proof/1',
      key,
      recipe: recipeDigest(recipe),
      dockerfile: digestOf(dockerfile),
      strategy: 'recipe',
      proven_at: '2026-01-02T03:04:05.000Z',
      repo: 'local/calc',
      commit: PLACE.commit,
      sandbox: 'docker',
      platform: 'linux/amd64',
      base_image: recipe.baseImage,
      base_identity: null,
      build_sec: 1,
      toolchain: {},
      packages: [],
      runs: [{ seen: 1, passed: 1, unloaded: 0, wall_sec: 1 }],
      tests: Object.fromEntries(tests),
      unstable: {},
    },
  }
}

export const RECORD: EnvironmentRecord = {
  schema: 'r2e.bootstrap/1',
  image_digest: null,
  image_tag: 'local/r2e-bootstrap/acme__calc:1',
  language: 'python',
  repo: 'local/calc',
  ref: PLACE.commit,
  rebuild_cmds: [],
  test_cmds: ['pytest'],
  smoke_passed: true,
  iterations: 0,
  build_time_sec: 1,
  llm_provider: null,
  llm_cost_estimate_usd: 0,
  dockerfile_reconstruction: 'FROM python:3.12\n',
  pushed_to_registry: false,
  transcript_path: 'transcript.jsonl',
  verify_passed: true,
  verify_detail: '1 of 1 tests passed',
  runner: 'pytest',
  environment: {},
  strategy: 'recipe',
  toolchain: {},
  packages: [],
  extra: {
    key: 'a'.repeat(24),
    sandbox: 'docker',
    options: {},
    source: '/calc',
    access: 'auto',
    made_at: '2026-01-02T03:04:05.000Z',
  },
}
