import { rm } from 'node:fs/promises'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { generate, repositoryOf } from './generate.mjs'
import { fixHistory } from './histories.mjs'
import { STATE } from './options.mjs'

export const method =
  'Σ test CPU ÷ (cores × wall) of r2e generate on 10 candidates, from its own summary; a run on two candidates before it ' +
  'makes the environments. Without --repo a generated repository whose suite burns 5 s of processor time.'

export async function* measure({ repo, generate: more, baseImage, signal }) {
  const place = join(STATE, 'efficiency')
  await rm(place, { recursive: true, force: true })
  const image = baseImage ? ['--base-image', baseImage] : []
  const words = repo ? ['--repo', repo, ...image] : await generatedWords(image)
  const run = (candidates) =>
    generate(place, [...words, '--pipeline-opt', `max_candidates=${candidates}`, ...more], signal)
  await run(2)
  for (const kept of ['out', 'state/runs', 'state/cache/observations'])
    await rm(join(place, kept), { recursive: true, force: true })
  const { summary, why } = await run(10)
  yield summary?.efficiency > 0 ? rowOf(summary, repo) : { name: repo ?? 'a generated repository', skipped: why }
}

function rowOf(summary, repo) {
  const { efficiency, candidates, admitted, seconds } = summary
  const available = availableParallelism() * seconds
  return {
    name: `${candidates} candidates of ${repo ?? 'a generated repository'}, ${admitted} admitted`,
    n: 1,
    ours: { label: 'test CPU', value: efficiency * available, unit: 's' },
    theirs: { label: 'cores × wall', value: available, unit: 's' },
    ratio: efficiency,
    held: [{ label: 'efficiency', value: efficiency, unit: '%', bound: 'least', floor: 0.7, aim: 0.85 }],
  }
}

async function generatedWords(image) {
  const repository = await repositoryOf('ten-fixes', fixHistory({ fixes: 10, seconds: 5 }))
  const base = image.length > 0 ? image : ['--base-image', 'lab/python']
  return ['--repo', repository, '--test-cmd', 'python3 -m unittest', ...base]
}
