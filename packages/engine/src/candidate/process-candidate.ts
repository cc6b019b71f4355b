import { parametrisedTest } from '@r2e/reward'
import { type Candidate, type CandidateEnd, isR2eError, type JsonObject, type Skip, skip } from '@r2e/spec'
import { withRetries } from '../schedule/with-retries.ts'
import { spendReport } from '../spend-report.ts'
import { checkRenderedTask } from '../validate/check-task.ts'
import { type CandidateContext, type Settled, taskIdOf } from './context.ts'
import { makeDiffTask } from './diff-task.ts'
import { draftCandidate } from './draft-candidate.ts'
import { makeExecutedTask } from './executed-task.ts'
import { failureOf } from './failure.ts'
import { stopsEveryCandidate } from './model-fault.ts'
import { type ProvenTask, storeTask } from './store-task.ts'

/**
 * Takes one candidate to its end: one bad candidate never ends a run. Thrown are an abort, and what every candidate needs:
 * a base image that the user named, a model that answers.
 */
export async function processCandidate(context: CandidateContext, candidate: Candidate): Promise<Settled> {
  const { id, title } = candidate
  const base = { id, title, replayed: false, found: true, restless: [] }
  const spent = () => spentOn(context, candidate)
  try {
    const made = await withRetries(() => makeTask(context, candidate), context.options.signal)
    if (made.kind === 'skip') {
      const end: CandidateEnd = { state: 'skipped', reason: made.reason, detail: made.detail }
      return {
        ...base,
        end,
        evidence: { ...made.evidence, ...spent() },
        restless: restlessOf(made.evidence?.quarantined),
      }
    }
    const task = await storeTask(context, { ...made, evidence: { ...made.evidence, ...spent() } })
    return { ...base, end: { state: 'admitted', taskId: task.taskId }, task, restless: restlessOf(made.quarantined) }
  } catch (error) {
    context.options.signal.throwIfAborted()
    if (stopsEveryCandidate(error)) throw error
    const noBase = isR2eError(error) && error.code === 'base_image_missing'
    if (noBase && context.config.bootstrap.base_image !== null) throw error
    if (noBase) {
      const end: CandidateEnd = { state: 'skipped', reason: 'environment_failed', detail: error.message }
      return { ...base, end, evidence: spent() }
    }
    return { ...base, end: failureOf(error), evidence: spent(), error }
  }
}

/** What models cost for this candidate, in this run; nothing where none was called. */
function spentOn({ ports, repository }: CandidateContext, candidate: Candidate): JsonObject {
  const llm = spendReport(ports.model?.budget, { task: taskIdOf(repository, candidate) })
  return llm ? { llm } : {}
}

/** What moves is a test; its cases are as many as it has parameters. */
function restlessOf(quarantined: unknown): string[] {
  return Array.isArray(quarantined) ? [...new Set(quarantined.map(parametrisedTest))].sort() : []
}

async function makeTask(context: CandidateContext, candidate: Candidate): Promise<ProvenTask | Skip> {
  const draft = await draftCandidate(context, candidate)
  if (draft.kind === 'skip') return draft
  const make = draft.plan.tests ? makeExecutedTask : makeDiffTask
  const made = await make(context, candidate, draft)
  return made.kind === 'skip' ? made : ((await unfit(context, candidate, made)) ?? made)
}

/** The shipped bytes pass the same checks that `validate --deep` makes. */
async function unfit(context: CandidateContext, candidate: Candidate, made: ProvenTask): Promise<Skip | undefined> {
  const { signal } = context.options
  const findings = await checkRenderedTask(made.files, { grader: context.grader, signal })
  const [first] = findings.filter(({ level }) => level === 'error')
  return first && skip(candidate.id, 'task_invalid', `${first.code}: ${first.message}`)
}
