import { graderFilesFor } from '@r2e/grader'
import type {
  Candidate,
  Draft,
  Edit,
  FileEntry,
  HiddenEdit,
  IsGone,
  LanguagePack,
  Recipe,
  RestorePlan,
  Runner,
  Skip,
  TestReport,
  Tree,
} from '@r2e/spec'
import type { ObserverSession } from '../observe/observer.ts'
import { runnerOf, runPlan } from '../observe/run-plan.ts'
import type { GradedRun } from '../observe/run-task.ts'
import { renderTask } from '../render/render-task.ts'
import { type Restored, restoreFiles } from '../render/restore.ts'
import type { Snapshot, TaskInput } from '../render/task-input.ts'
import type { RenderContext } from './context.ts'
import { doubledLimit } from './doubled-limit.ts'
import { leansOn } from './leans-on.ts'
import { failedRun, unusableBase, unusableReport } from './run-failure.ts'
import { taskFrame } from './task-frame.ts'
import { hiddenSources, testFiles, touchedFiles } from './touched-files.ts'

export interface TrialSubject {
  readonly candidate: Candidate
  readonly draft: Draft
  readonly recipe: Recipe
  readonly snapshot: Snapshot
  readonly tree: Tree
  /** What the solution does to the snapshot. */
  readonly solvedEdits: readonly Edit[]
  readonly session: ObserverSession
}

/** A run that is evidence. */
export interface StateRun {
  readonly kind: 'run'
  readonly report: TestReport
  readonly run: GradedRun
}

export interface Lists {
  readonly failToPass: readonly string[]
  readonly passToPass: readonly string[]
}

export interface FinalFacts {
  readonly lists: Lists
  readonly verifierTimeoutSec: number
}

/** One candidate in one environment. The rendered task is what runs, in every state. */
export interface Trial {
  readonly kind: 'trial'
  readonly subject: TrialSubject
  /** Before anything is changed: the snapshot with its own tests. Decides whether the whole suite is run. */
  observeBase(): Promise<StateRun | Skip>
  /** The snapshot with its own tests, or these files of them; failing tests are a result too. */
  observeTree(files: readonly string[] | undefined): Promise<StateRun | Skip>
  /** The base report that {@link observeBase} found. */
  base(): TestReport
  /** The task without lists: what the first pair observes. */
  blankInput(): Promise<TaskInput>
  /** The task as it will be shipped. */
  finalInput(final: FinalFacts): Promise<TaskInput>
  /** Hidden tests in place; `solved` with the solution, `broken` without. */
  observe(input: TaskInput, run: { state: 'broken' | 'solved'; repeat: number }): Promise<StateRun | Skip>
  /** Whether a test id comes from a hidden file. */
  inHidden(id: string): boolean
  /** Whether nothing between base and broken can have changed this test: no hidden file, nor one that others lean on, nor the runner's own. */
  sameAsBase(id: string): boolean
  /** Whether a test may have come with the solution. */
  inSource(id: string): boolean
}

export function openTrial(context: RenderContext, subject: TrialSubject): Trial {
  const { recipe, draft, candidate } = subject
  const { pack, runner } = runnerOf(context.ports.languages, recipe)
  const hidden = hiddenSources(draft.hidden)
  const tests = draft.plan.tests
  const inHidden = (id: string) => pack.ownsTest(hidden, id, recipe)
  const steersRunner = ({ path }: Edit) => pack.runnerFiles.includes(path.slice(path.lastIndexOf('/') + 1))
  const onlyTests = testFiles(pack, hidden).length === draft.hidden.length && !subject.solvedEdits.some(steersRunner)
  const most = Math.min(tests?.timeoutSec ?? 600, context.config.sandbox.timeout_sec)
  let stage: Stage = { context, subject, pack, runner, limit: most }
  let files: readonly string[] | undefined
  let base: TestReport | undefined
  let stands = false
  let baseFiles: Promise<RestoredState> | undefined
  let solvedFiles: Promise<RestoredState> | undefined
  const untouched = () => (baseFiles ??= restored(stage, { solvedEdits: [], hidden: [] }))
  const solved = () => (solvedFiles ??= restored(stage, { solvedEdits: subject.solvedEdits, hidden: draft.hidden }))
  const run = async (request: { input: TaskInput; state: 'nop' | 'oracle'; repeat: number; what: string }) => {
    const rendered = renderTask(request.input)
    const timeoutSec = (request.input.tests?.run.timeout_sec ?? most) + 30
    const result = await subject.session.observe({ ...request, files: rendered, timeoutSec })
    return (
      failedRun(candidate.id, request.what, result) ?? {
        kind: 'run' as const,
        report: result.report!,
        run: result as GradedRun,
      }
    )
  }
  const baseRun = async (selected: readonly string[] | undefined) => {
    const input = await observedInput(stage, { restored: await untouched(), files: selected })
    return run({ input, state: 'nop', repeat: 0, what: 'the base' })
  }
  /** The touched test files and their neighbours: for suites that take too long, or that cannot run as a whole. */
  const touchedRun = async (whole: StateRun | Skip) => {
    if (whole.kind === 'skip' && whole.reason !== 'verifier_timeout') return undefined
    const standing = subject.snapshot.entries.map(({ path }) => path)
    const touched = touchedFiles({ pack, standing, hidden: draft.hidden })
    const old = touched.filter((path) => standing.includes(path))
    if (old.length === 0) return undefined
    const seen = await baseRun(old)
    if (!runsWithin(seen, most)) return undefined
    files = touched
    return seen
  }
  return {
    kind: 'trial',
    subject,
    observeTree: async (selected) => {
      const seen = await baseRun(selected)
      return seen.kind === 'run' ? (unusableReport(candidate.id, 'the edited tree', logged(seen)) ?? seen) : seen
    },
    base: () => base!,
    inHidden,
    inSource: (id) => pack.inSource?.(id) ?? false,
    sameAsBase: (id) => stands && !inHidden(id),
    async observeBase() {
      const whole = await baseRun(undefined)
      const seen = runsWithin(whole, tests?.fullSuiteLimitSec ?? 120) ? whole : ((await touchedRun(whole)) ?? whole)
      if (seen.kind === 'skip') return seen
      base = seen.report
      stands = onlyTests && !leansOn(testTexts(await untouched()), hidden)
      stage = { ...stage, limit: Math.min(most, runLimit(base.wall_sec)) }
      return unusableBase(candidate.id, logged(seen)) ?? seen
    },
    async blankInput() {
      return observedInput(stage, { restored: await solved(), files })
    },
    async finalInput({ lists, verifierTimeoutSec }) {
      const inner = { ...stage, limit: Math.floor(verifierTimeoutSec * 0.8) }
      const input = await observedInput(inner, { restored: await solved(), files })
      const { failToPass, passToPass } = lists
      return {
        ...input,
        tests: input.tests && { ...input.tests, failToPass, passToPass },
        limits: { ...input.limits, verifierTimeoutSec },
      }
    },
    async observe(input, { state, repeat }) {
      const what = `the ${state} state`
      const observed = await run({ input, state: state === 'solved' ? 'oracle' : 'nop', repeat, what })
      if (observed.kind === 'skip') return observed
      return unusableReport(candidate.id, what, logged(observed)) ?? observed
    },
  }
}

const logged = ({ report, run }: StateRun) => ({ report, log: run.log })

interface Stage {
  readonly context: RenderContext
  readonly subject: TrialSubject
  readonly pack: LanguagePack
  readonly runner: Runner
  /** Seconds for the test commands. */
  readonly limit: number
}

const runsWithin = (run: StateRun | Skip, limitSec: number) =>
  run.kind === 'run' &&
  run.report.outcome === 'completed' &&
  run.report.parse_status === 'ok' &&
  run.report.wall_sec <= limitSec

/** Seconds for the tests of one run: eight times what the base took, rounded up to 240 × 2^k; what is built anew was warm in the base. */
const runLimit = (baseSec: number) => doubledLimit(240, baseSec * 8)

async function observedInput(
  { context, subject, pack, runner, limit }: Stage,
  { restored, files }: { restored: RestoredState; files: readonly string[] | undefined },
): Promise<TaskInput> {
  const { recipe, snapshot, candidate, draft } = subject
  return {
    ...taskFrame(context, candidate, draft),
    recipe,
    snapshot,
    tests: {
      run: runPlan({
        recipe,
        runner,
        files,
        hidden: restored.hidden,
        isGone: goneFrom(snapshot, restored.restore),
        timeoutSec: limit,
        seed: context.config.seed,
      }),
      restore: restored.restore,
      files: restored.files,
      failToPass: [],
      passToPass: [],
    },
    grader: graderFilesFor(context.grader, { ...runner, inline: pack.inlineTests && pack.name }),
    versionTag: await context.repository.newestTag(candidate.base),
  }
}

/** Of the snapshot's files and folders those that the plan removes; its own files of the same path stay. */
function goneFrom({ entries }: Snapshot, plan: RestorePlan): IsGone {
  const deleted = new Set(plan.delete)
  if (deleted.size === 0) return () => false
  const standing = [...entries.filter(({ path }) => !deleted.has(path)), ...plan.files].map(({ path }) => path)
  const places = new Set(standing.flatMap(withFolders))
  const before = new Set(entries.flatMap(({ path }) => withFolders(path)))
  return (path) => before.has(path) && !places.has(path)
}

/** A path and the folders above it. */
function withFolders(path: string): string[] {
  const parts = path.split('/')
  return parts.map((_, end) => parts.slice(0, end + 1).join('/'))
}

interface RestoredState extends Restored {
  /** Hidden test files in place in this state. */
  readonly hidden: readonly string[]
}

/** The grader's copies under the paths that they are restored to. */
function testTexts({ restore, files }: RestoredState): FileEntry[] {
  const contents = new Map(files.map(({ path, content }) => [path, content]))
  return restore.files.map(({ path, mode, from }) => ({ path, mode, content: contents.get(from)! }))
}

async function restored(
  { context, subject, pack }: Stage,
  edits: { solvedEdits: readonly Edit[]; hidden: readonly HiddenEdit[] },
): Promise<RestoredState> {
  const { snapshot, tree, draft } = subject
  const plan = await restoreFiles({
    ...edits,
    baseEntries: snapshot.entries,
    packs: [pack],
    role: context.role,
    async read(paths) {
      const contents = new Map(await tree.readAll(paths))
      for (const edit of draft.setup) if (edit.kind === 'write') contents.set(edit.path, edit.content)
      return contents
    },
  })
  return { ...plan, hidden: testFiles(pack, hiddenSources(edits.hidden)) }
}
