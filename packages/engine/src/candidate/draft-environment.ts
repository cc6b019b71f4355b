import { type Candidate, type Draft, type DraftInput, type Edit, R2eError, type Skip } from '@r2e/spec'
import type { ObserverSession } from '../observe/observer.ts'
import { applyDraft } from './apply-draft.ts'
import type { CandidateContext } from './context.ts'
import { findEnvironment } from './find-environment.ts'
import { openTrial, type Trial } from './trial.ts'

type Capabilities = Required<Pick<DraftInput<unknown>, 'environment' | 'observe'>>

/**
 * What a pipeline that needs an environment before its draft may do: learn the recipe, and run the tests of the base
 * with edits of its own. Both throw {@link DraftSkipped} where there is no environment.
 */
export function draftEnvironment(
  context: CandidateContext,
  candidate: Candidate,
  session: ObserverSession,
): Capabilities {
  const apply = async (edits: readonly Edit[]) => {
    const draft = editedBase(edits)
    return { ...required(await applyDraft(context, candidate, draft)), candidate, draft, session }
  }
  let found: Promise<Trial> | undefined
  const base = () => (found ??= apply([]).then(async (subject) => required(await findEnvironment(context, subject))))
  return {
    environment: async () => (await base()).subject.recipe,
    async observe(edits, files) {
      const { subject, base: untouched } = await base()
      if (edits.length === 0 && !files) return untouched()
      const trial = openTrial(context, { ...(await apply(edits)), recipe: subject.recipe })
      return required(await trial.observeTree(files)).report
    },
  }
}

function required<T extends { readonly kind?: unknown }>(value: T | Skip): Exclude<T, Skip> {
  if (value.kind === 'skip') throw new DraftSkipped(value as Skip)
  return value as Exclude<T, Skip>
}

/** Carries a skip through the pipeline's own code; the engine turns it back into data. */
export class DraftSkipped extends R2eError {
  readonly skip: Skip

  constructor(skip: Skip) {
    super('draft_skipped', 'bug', `${skip.reason}: ${skip.detail}`)
    this.skip = skip
  }
}

/** A draft that changes the base alone: its own tests are what runs. */
export function editedBase(edits: readonly Edit[]): Draft {
  return {
    kind: 'draft',
    instruction: '',
    setup: edits,
    solution: new Uint8Array(),
    hidden: [],
    plan: { environment: true },
    category: 'bugfix',
    sourceFiles: 0,
    changedLines: 0,
    metadata: {},
    provenance: {},
  }
}
