import {
  type Budget,
  decodeUtf8,
  type EnvironmentMender,
  type FileEntry,
  isR2eError,
  type JsonObject,
  type LanguageModel,
  type LanguagePack,
  type MendOutcome,
  type MendRequest,
  type ModelReply,
  R2eError,
  type Sandbox,
  type SandboxLimits,
  type SandboxProvider,
} from '@r2e/spec'
import { chooseLanguages } from '../choose-language.ts'
import { type Conversation, openConversation } from './conversation.ts'
import { cutMiddle } from './cut-middle.ts'
import { defaultImage } from './default-image.ts'
import { planRecipe, type RecipeGround, readManifests } from './plan-recipe.ts'
import { data, SYSTEM_PROMPT, seedPrompt } from './prompt.ts'
import { refusedCommand } from './refused-command.ts'
import { createScrub, type Scrub } from './scrub-secrets.ts'
import { type Action, readAction, TOOLS, type WrittenRecipe } from './tools.ts'
import { openTranscript, type Transcript } from './transcript.ts'
import { endOf, outputOf, tryRecipe } from './try-recipe.ts'
import { buildLayers, dockerfileOf, openWithTree, WORK_TREE, type Workbench } from './workbench.ts'

export interface EnvironmentMenderOptions {
  readonly model: LanguageModel
  /** What one `mend` and all others of this mender may spend together, inside the budget of the run. */
  readonly budget: Budget
  readonly provider: SandboxProvider
  readonly limits: SandboxLimits
  /** Owner label of the sandboxes: id of the run. */
  readonly run: string
  readonly packs: readonly LanguagePack[]
  /** `graderFiles()` of `@r2e/grader`: runners report tests through them. */
  readonly grader: readonly FileEntry[]
  /** Replies of the model in one `mend`, malformed ones counted (default 25). */
  readonly maxIterations?: number | undefined
  /** Wall clock of one `mend` (default 1800). */
  readonly maxSeconds?: number | undefined
  /** Values by their names: they reach neither the model nor the transcript. */
  readonly secrets?: Readonly<Record<string, string>> | undefined
}

const COMMAND_LIMIT_MS = 300_000
const OBSERVATION = 4000
const MOST_FILE = 50_000
const MOST_ENTRIES = 200
const MOST_OUTPUT_TOKENS = 8192
/** Read beyond a limit and then cut, so that no half of a secret is left at the edge. */
const MARGIN = 4096

/**
 * A model that works in a sandbox until it has a recipe that was carried out from nothing there. Its text reaches a shell
 * inside sandboxes alone.
 *
 * `mend` throws what no other turn can cure: faults of the user (`unknown_price`, `model_key_refused`, `unknown_model`, …),
 * transient ones that outlive the retries of the model, and the reason of the request's signal.
 */
export function createEnvironmentMender(options: EnvironmentMenderOptions): EnvironmentMender {
  const { maxSeconds = 1800, packs, model, secrets = {} } = options
  const scrub = createScrub(secrets)
  return {
    async mend(request) {
      request.signal.throwIfAborted()
      const deadline = AbortSignal.timeout(maxSeconds * 1000)
      const signal = AbortSignal.any([request.signal, deadline])
      const bench: Workbench = {
        provider: options.provider,
        limits: options.limits,
        run: options.run,
        tree: request.tree,
        grader: options.grader,
        signal,
        endsAt: performance.now() + maxSeconds * 1000,
      }
      const record = openTranscript(request.transcript, scrub)
      const progress = { iterations: 0 }
      const end = async (outcome: MendOutcome): Promise<MendOutcome> => {
        await record({ type: 'outcome', ...(outcome as unknown as JsonObject) })
        return outcome
      }
      try {
        const ground = await groundOf(request, packs, model.name)
        const outcome = await converse({ ...options, bench, ground, scrub, record, progress })
        return await end(outcome)
      } catch (error) {
        if (request.signal.aborted) {
          await record({ type: 'aborted', iterations: progress.iterations })
          throw request.signal.reason
        }
        const { iterations } = progress
        if (deadline.aborted)
          return await end({ kind: 'timeout', detail: `no recipe within ${maxSeconds} s`, iterations })
        if (isR2eError(error) && error.code === 'budget_exhausted')
          return await end({ kind: 'cost_budget', detail: scrub(error.message), iterations })
        await record({
          type: 'fault',
          iterations,
          message: error instanceof Error ? error.message : String(error),
          ...(isR2eError(error) && { code: error.code }),
        })
        throw error
      }
    },
  }
}

async function groundOf(request: MendRequest, all: readonly LanguagePack[], author: string): Promise<RecipeGround> {
  const paths = (await request.tree.entries()).map(({ path }) => path)
  const detected = chooseLanguages(all, paths, request.options.language)
  const packs = detected.length > 0 ? detected : all
  // one that was built is nearer to an environment than one that was not
  const best = request.failed.find(({ failure }) => failure.reason !== 'environment_failed') ?? request.failed[0]
  const baseImage =
    request.options.baseImage ?? best?.recipe.baseImage ?? defaultImage(detected.length > 0 ? detected[0]!.name : '')
  return { request, packs, baseImage, paths, author, files: await readManifests(request.tree, packs) }
}

interface Session extends EnvironmentMenderOptions {
  readonly bench: Workbench
  readonly ground: RecipeGround
  readonly scrub: Scrub
  readonly record: Transcript
  readonly progress: { iterations: number }
}

async function converse(session: Session): Promise<MendOutcome> {
  const { bench, ground, record, progress, scrub, maxIterations = 25 } = session
  const start = dockerfileOf({ baseImage: ground.baseImage, system: [], env: {} }, [])
  const built = await buildLayers(bench, start, ground.files)
  if (!built.ok) {
    const detail = `no sandbox of the base image ${ground.baseImage}: ${built.reason}`
    return { kind: 'gave_up', detail, iterations: 0 }
  }
  const { sandbox, left } = await openWithTree(bench, built.image, true)
  await using _ = sandbox
  const root = [
    ...new Set(ground.paths.map((path) => (path.includes('/') ? `${path.slice(0, path.indexOf('/'))}/` : path))),
  ]
  const talk = openConversation(SYSTEM_PROMPT, seedPrompt(ground, root, left, scrub), scrub)
  await record({
    type: 'seed',
    model: session.model.name,
    tools: TOOLS.map(({ name }) => name),
    messages: talk.messages as unknown as readonly JsonObject[],
  })
  while (progress.iterations < maxIterations) {
    const asked = await ask(session, talk)
    if (asked.kind === 'end') return asked.outcome
    const action = asked.reply ? readAction(asked.reply) : unreadable
    const turn = await carryOut(session, sandbox, action)
    if (turn.outcome) return turn.outcome
    const answer = scrub(turn.answer)
    await record({ type: 'answer', iteration: progress.iterations, tool: action.kind, text: answer })
    talk.answer(`${answer}\n\n(turn ${progress.iterations} of ${maxIterations})`)
  }
  const detail = `no recipe within ${maxIterations} turns`
  return { kind: 'max_iterations', detail, iterations: progress.iterations }
}

const unreadable: Action = { kind: 'malformed', problem: 'the reply could not be read' }

type Asked =
  | { readonly kind: 'reply'; readonly reply: ModelReply | undefined }
  | { readonly kind: 'end'; readonly outcome: MendOutcome }

/** One turn. A conversation that is too long for the endpoint is shortened, twice at most. */
async function ask({ model, budget, bench, record, progress }: Session, talk: Conversation): Promise<Asked> {
  const request = () => ({
    messages: [...talk.messages],
    tools: TOOLS,
    toolChoice: 'auto' as const,
    maxOutputTokens: MOST_OUTPUT_TOKENS,
  })
  const call = { phase: 'bootstrap', within: budget, signal: bench.signal } as const
  for (const recent of [3, 0, undefined]) {
    try {
      const reply = await model.complete(request(), call)
      progress.iterations++
      talk.reply(reply)
      await record({ type: 'reply', iteration: progress.iterations, ...(reply as unknown as JsonObject) })
      return { kind: 'reply', reply }
    } catch (error) {
      bench.signal.throwIfAborted()
      if (!isR2eError(error)) throw error
      if (error.code === 'bad_model_reply') {
        progress.iterations++
        await record({ type: 'reply', iteration: progress.iterations, fault: error.code, message: error.message })
        return { kind: 'reply', reply: undefined }
      }
      if (error.code === 'model_context_exceeded' && recent !== undefined && talk.compact(recent)) {
        await record({ type: 'compacted', iteration: progress.iterations, left: recent })
        continue
      }
      if (error.code !== 'model_context_exceeded' && error.code !== 'model_request_refused') throw error
      return { kind: 'end', outcome: { kind: 'gave_up', detail: error.message, iterations: progress.iterations } }
    }
  }
  throw new R2eError('model_context_exceeded', 'bug', 'a conversation does not become short enough')
}

interface Turn {
  readonly answer: string
  readonly outcome?: MendOutcome | undefined
}

async function carryOut(session: Session, sandbox: Sandbox, action: Action): Promise<Turn> {
  switch (action.kind) {
    case 'malformed':
      return {
        answer: `Nothing was done: ${action.problem}. Call one tool: ${TOOLS.map(({ name }) => name).join(', ')}.`,
      }
    case 'give_up':
      return { answer: '', outcome: endOfGivingUp(session, action.reason) }
    case 'run':
      return { answer: await runCommand(session, sandbox, action.command) }
    case 'read_file':
      return { answer: await readFile(session, sandbox, action.path) }
    case 'list_directory':
      return { answer: await listDirectory(session, sandbox, action.path) }
    case 'write_recipe':
      return await writeRecipe(session, action.recipe)
  }
}

function endOfGivingUp({ scrub, progress }: Session, reason: string): MendOutcome {
  const detail = scrub(reason).replace(/\s+/g, ' ').trim().slice(0, 500)
  return { kind: 'gave_up', detail, iterations: progress.iterations }
}

async function runCommand({ bench, scrub }: Session, sandbox: Sandbox, command: string): Promise<string> {
  const refusal = refusedCommand(command)
  if (refusal !== undefined) return `Refused, not run: ${refusal}.`
  const result = await sandbox.exec({
    argv: ['bash', '-c', command],
    cwd: WORK_TREE,
    timeoutMs: COMMAND_LIMIT_MS,
    outputLimit: 64 * 1024,
    signal: bench.signal,
  })
  return `${endOf(result)}\n${data('output', cutMiddle(scrub(outputOf(result)), OBSERVATION))}`
}

async function readFile({ bench, scrub }: Session, sandbox: Sandbox, path: string): Promise<string> {
  const result = await sandbox.exec({
    argv: ['sh', '-c', 'test -f "$1" && head -c "$2" -- "$1"', 'sh', within(path), String(MOST_FILE + MARGIN)],
    cwd: WORK_TREE,
    timeoutMs: COMMAND_LIMIT_MS,
    signal: bench.signal,
  })
  if (result.exitCode !== 0) return `There is no such file that can be read: ${path}`
  const text = scrub(decodeUtf8(result.stdout))
  return text.length <= MOST_FILE
    ? data('file', text)
    : `${data('file', text.slice(0, MOST_FILE))}\n(the rest is left out)`
}

async function listDirectory({ bench }: Session, sandbox: Sandbox, path: string): Promise<string> {
  const result = await sandbox.exec({
    argv: ['sh', '-c', 'cd -- "$1" && ls -1Ap | head -n "$2"', 'sh', within(path), String(MOST_ENTRIES + 1)],
    cwd: WORK_TREE,
    timeoutMs: COMMAND_LIMIT_MS,
    signal: bench.signal,
  })
  if (result.exitCode !== 0) return `There is no such folder: ${path}`
  const names = decodeUtf8(result.stdout)
    .split('\n')
    .filter((name) => name !== '')
  const listed = data('entries', names.slice(0, MOST_ENTRIES).join('\n'))
  return names.length > MOST_ENTRIES ? `${listed}\n(more are left out)` : listed
}

/** A path is never an option. */
const within = (path: string) => (path.startsWith('/') ? path : `./${path}`)

async function writeRecipe({ bench, ground, progress, scrub }: Session, written: WrittenRecipe): Promise<Turn> {
  const refusal = [...written.rebuild, ...written.project, written.test[0] ?? '']
    .map(refusedCommand)
    .find((why) => why !== undefined)
  if (refusal !== undefined) return { answer: `Refused, not tried: ${refusal}.` }
  const recipe = planRecipe(ground, written)
  if (typeof recipe === 'string') return { answer: `The recipe was not tried: ${recipe}.` }
  const own = { ...recipe, files: [] }
  if (scrub(JSON.stringify(own)) !== JSON.stringify(own))
    return { answer: 'The recipe was not tried: it holds a secret.' }
  const failure = await tryRecipe(bench, recipe, ground.packs)
  if (!failure) return { answer: '', outcome: { kind: 'recipe', recipe, iterations: progress.iterations } }
  const log = cutMiddle(scrub(failure.log), OBSERVATION)
  return {
    answer: `The recipe does not work in a fresh sandbox. ${data('failed', failure.problem)}\n${data('log', log)}`,
  }
}
