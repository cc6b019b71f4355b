import { spawn } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createGitSource } from '../src/git/index.ts'

export interface WalkBench {
  readonly commits: number
  /** `git log -p --first-parent --binary --full-index -M` over the same commits, output read and dropped. */
  readonly gitMs: number
  /** The walk, its commits parsed and dropped; the repository is open. */
  readonly walkMs: number
  readonly ratio: number
}

/** Compares a walk over the newest `count` first-parent commits with git itself: the medians of interleaved rounds. */
export async function benchWalk(path: string, count: number, rounds = 5): Promise<WalkBench> {
  const cacheDirectory = await mkdtemp(join(tmpdir(), 'r2e-bench-'))
  try {
    await using repository = await createGitSource().open(
      { url: path, ref: 'HEAD', access: 'auto' },
      { cacheDirectory },
    )
    const git: number[] = []
    const walk: number[] = []
    let commits = 0
    for (let round = 0; round <= rounds; round++) {
      git.push(await timed(() => runLog(path, count)))
      walk.push(
        await timed(async () => {
          commits = 0
          for await (const _ of repository.commits!({ firstParent: true })) if (++commits === count) break
        }),
      )
    }
    // The first round warms the caches of both.
    const [gitMs, walkMs] = [median(git.slice(1)), median(walk.slice(1))]
    return { commits, gitMs, walkMs, ratio: walkMs / gitMs }
  } finally {
    await rm(cacheDirectory, { recursive: true, force: true })
  }
}

function runLog(path: string, count: number): Promise<void> {
  const args = ['-C', path, 'log', '-p', '--first-parent', '--binary', '--full-index', '-M', `-n${count}`]
  const child = spawn('git', args, { stdio: ['ignore', 'pipe', 'inherit'] })
  child.stdout.resume()
  return new Promise((resolve, reject) => child.on('error', reject).on('close', () => resolve()))
}

async function timed(work: () => Promise<void>): Promise<number> {
  const start = performance.now()
  await work()
  return performance.now() - start
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0
}
