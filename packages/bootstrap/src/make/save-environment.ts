import { readFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { JsonObject, RepoSpec } from '@r2e/spec'
import { type EnvironmentPlace, imageTag } from '../store/environment-place.ts'
import type { EnvironmentRecord } from '../store/environment-record.ts'
import type { StoredProof } from '../store/stored-recipe.ts'
import { testCommands, testEnvironment } from './test-commands.ts'
import type { FoundRecipe, MakingSubject, MakingTools } from './try-recipes.ts'

type SavingSubject = MakingSubject & { readonly found: FoundRecipe }

/** Names the image, and writes the environment of this commit into the store. */
export async function saveEnvironment(
  tools: MakingTools & { readonly spec: RepoSpec },
  subject: SavingSubject,
): Promise<EnvironmentRecord> {
  const { place, log, found } = subject
  const image = await nameImage(tools, place, found.proof.image)
  const record = renderRecord(tools, subject, image)
  const transcript =
    (await readFile(log.transcript).catch(() => undefined)) ??
    (await readFile(join(dirname(log.path), 'events.jsonl')).catch(() => ''))
  await tools.store.save(place, record, transcript)
  return record
}

interface NamedImage {
  readonly tag: string
  readonly digest: string | null
}

/** The name that the contract gives it, where the sandbox has names; the one it was built under goes. */
async function nameImage({ sandbox }: MakingTools, place: EnvironmentPlace, image: string): Promise<NamedImage> {
  if (!sandbox.tag) return { tag: image, digest: null }
  const tag = imageTag(place)
  await sandbox.remove(tag)
  await sandbox.tag(image, tag)
  await sandbox.remove(image)
  return { tag, digest: (await sandbox.identity?.(tag)) ?? null }
}

function renderRecord(
  tools: MakingTools & { readonly spec: RepoSpec },
  { place, repository, found }: SavingSubject,
  image: NamedImage,
): EnvironmentRecord {
  const { stored, proof, iterations } = found
  const { recipe } = stored
  const mended = iterations > 0
  return {
    schema: 'r2e.bootstrap/1',
    image_digest: image.digest,
    image_tag: image.tag,
    language: recipe.language,
    repo: repository.url,
    ref: place.commit,
    rebuild_cmds: recipe.project.map(({ run }) => run),
    test_cmds: testCommands(tools.languages, recipe),
    smoke_passed: true,
    iterations,
    build_time_sec: proof.buildSec,
    llm_provider: mended ? (tools.model?.name ?? null) : null,
    llm_cost_estimate_usd: mended ? (tools.model?.costUsd() ?? null) : 0,
    dockerfile_reconstruction: proof.dockerfile,
    pushed_to_registry: false,
    transcript_path: 'transcript.jsonl',
    verify_passed: true,
    verify_detail: verifyDetail(stored.proof),
    runner: recipe.runner,
    environment: testEnvironment(tools.languages, recipe),
    strategy: stored.proof.strategy,
    toolchain: stored.proof.toolchain,
    packages: stored.proof.packages,
    extra: {
      key: stored.key,
      sandbox: tools.sandbox.name,
      options: JSON.parse(JSON.stringify(place.options)) as JsonObject,
      source: tools.spec.url.replace(/(\/\/[^/@:]*):[^/@]*@/, '$1@'),
      access: tools.spec.access,
      made_at: tools.now().toISOString(),
    },
  }
}

function verifyDetail({ runs, unstable, commit }: StoredProof): string {
  const counts = runs.map(({ passed, seen }) => `${passed} of ${seen} tests passed`)
  const moved = Object.keys(unstable).length
  const agree = moved === 0 ? 'the runs agree' : `${moved} tests differ between the runs`
  return `built from nothing at ${commit.slice(0, 12)}: ${counts.join(', ')}; ${agree}`
}
