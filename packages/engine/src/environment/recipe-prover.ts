import { graderFiles } from '@r2e/grader'
import { roleUnder } from '@r2e/kit'
import {
  type Candidate,
  decodeUtf8,
  type FileEntry,
  isR2eError,
  type LanguagePack,
  type ProveRequest,
  type Recipe,
  type RecipeFailure,
  type RecipeProof,
  type RecipeProver,
  type RunConfig,
  type SandboxProvider,
  type Skip,
  type TestReport,
} from '@r2e/spec'
import type { RenderContext } from '../candidate/context.ts'
import { editedBase } from '../candidate/draft-environment.ts'
import { openTrial, type Trial } from '../candidate/trial.ts'
import { snapshotTree } from '../render/snapshot.ts'
import { withRetries } from '../schedule/with-retries.ts'
import { type ImageContents, readImageContents } from './image-contents.ts'
import { isBeforeTree } from './is-before-tree.ts'
import { openProofSession, type ProofSession } from './proof-session.ts'

export interface RecipeProverOptions {
  readonly provider: SandboxProvider
  readonly sandbox: RunConfig['sandbox']
  readonly languages: readonly LanguagePack[]
  /** Owner label of everything made. */
  readonly run: string
  readonly seed?: number | undefined
}

/** Proves recipes as tasks are proven: the same rendering, the same sandbox, the same reading of reports. */
export function createRecipeProver(options: RecipeProverOptions): RecipeProver {
  return { prove: (recipe, request) => withRetries(() => proveOnce(options, recipe, request), request.signal) }
}

async function proveOnce(
  options: RecipeProverOptions,
  recipe: Recipe,
  request: ProveRequest,
): Promise<RecipeProof | RecipeFailure> {
  const started = performance.now()
  await using session = openProofSession({ ...options, ...request })
  const failed = ({ reason, detail, evidence }: Pick<Skip, 'reason' | 'detail' | 'evidence'>): RecipeFailure => {
    const built = session.built()?.result
    const step = built && !built.ok && built.reason !== 'timed_out' ? built.step : undefined
    return {
      kind: 'failure',
      reason,
      detail,
      ...(step !== undefined && { step, beforeTree: isBeforeTree(recipe, step) }),
      log: headAndTail(built && !built.ok ? built.log : String(evidence?.log ?? '')),
      seconds: secondsSince(started),
    }
  }
  try {
    const trial = await trialOf(options, recipe, { ...request, session })
    const reports: TestReport[] = []
    while (reports.length < request.runs) {
      const seen = await trial.observeTree(undefined)
      if (seen.kind === 'skip') return failed(seen)
      reports.push(seen.report)
      if (!passesSome(reports)) return failed(nonePasses(reports, seen.run.log))
    }
    const proof = proofOf(session, reports)
    const contents = request.fresh ? await contentsOf(options, { ...request, recipe, image: proof.image }) : {}
    session.keep()
    return { ...proof, ...contents }
  } catch (error) {
    request.signal.throwIfAborted()
    // A recipe may name what is not to be had, or be none that can be rendered: that is an answer too.
    if (!isR2eError(error) || error.fault !== 'user') throw error
    const known = error.code === 'runner_unknown'
    return failed({ reason: known ? error.code : 'environment_failed', detail: error.message })
  }
}

function contentsOf(
  { provider, sandbox, run }: RecipeProverOptions,
  { recipe, image, signal }: { readonly recipe: Recipe; readonly image: string; readonly signal: AbortSignal },
): Promise<ImageContents> {
  return readImageContents({ provider, sandbox, run, image, language: recipe.language, signal })
}

async function trialOf(
  options: RecipeProverOptions,
  recipe: Recipe,
  { tree, repository, session }: ProveRequest & { readonly session: ProofSession },
): Promise<Trial> {
  const { sandbox, languages, seed = 0 } = options
  const context: RenderContext = {
    config: { sandbox, seed, output: { org: 'bootstrap' } },
    ports: { languages, pipeline: { name: 'bootstrap', version: '1' } },
    repository,
    access: 'public',
    grader: await graderFiles(),
    role: roleUnder(languages),
  }
  const candidate: Candidate = { id: `-${tree.commit.slice(0, 12)}`, title: 'the untouched tree', base: tree.commit }
  const draft = { ...editedBase([]), plan: { environment: true, tests: wholeSuite(sandbox.timeout_sec) } }
  const snapshot = await snapshotTree(tree, [])
  return openTrial(context, { candidate, draft, recipe, snapshot, tree, solvedEdits: [], session })
}

const wholeSuite = (timeoutSec: number) => ({
  requireFailToPass: false,
  minFailToPass: 0,
  maxPassToPass: undefined,
  timeoutSec,
  fullSuiteLimitSec: timeoutSec,
  failToPassFrom: [],
})

function proofOf(session: ProofSession, reports: readonly TestReport[]): RecipeProof {
  const { result, files } = session.built()!
  return {
    kind: 'proof',
    image: result.ok ? result.image : '',
    dockerfile: textOf(files, 'environment/Dockerfile'),
    buildSec: Math.round(result.durationMs / 100) / 10,
    reports,
  }
}

function passesSome([first, ...others]: readonly TestReport[]): boolean {
  const passed = Object.entries(first?.tests ?? {}).filter(([, status]) => status === 'PASSED')
  return passed.some(([id]) => others.every(({ tests }) => tests[id] === 'PASSED'))
}

function nonePasses(reports: readonly TestReport[], log: string): Pick<Skip, 'reason' | 'detail' | 'evidence'> {
  const seen = Object.keys(reports.at(-1)!.tests).length
  const where = reports.length === 1 ? '' : ` in each of ${reports.length} runs`
  return { reason: 'no_tests_seen', detail: `none of ${seen} tests passes${where}`, evidence: { log } }
}

function textOf(files: readonly FileEntry[], path: string): string {
  return decodeUtf8(files.find((file) => file.path === path)?.content ?? new Uint8Array())
}

const KEPT = 16_000

/** Both ends of a log say what matters: what was asked for, and what went wrong. */
function headAndTail(log: string): string {
  if (log.length <= KEPT) return log
  const cut = log.length - KEPT
  return `${log.slice(0, KEPT / 4)}\n… ${cut} characters left out …\n${log.slice(-(KEPT * 3) / 4)}`.toWellFormed()
}

const secondsSince = (started: number) => Math.round((performance.now() - started) / 100) / 10
