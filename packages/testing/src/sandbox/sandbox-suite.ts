import { randomBytes } from 'node:crypto'
import type { BuildResult, SandboxProvider } from '@r2e/spec'
import { buildTests } from './build-tests.ts'
import { commandTests } from './command-tests.ts'
import { fileTests } from './file-tests.ts'
import { isolationTests } from './isolation-tests.ts'
import { lifetimeTests } from './lifetime-tests.ts'
import { limitTests } from './limit-tests.ts'
import type { SandboxSuiteContext } from './suite-context.ts'
import { dockerfileContext, IMAGE_DOCKERFILE } from './suite-image.ts'

export interface SandboxSuiteOptions {
  /** Title of the suite. */
  readonly name: string
  create(): SandboxProvider | Promise<SandboxProvider>
  /** A Linux image with bash and the GNU core utilities, for `FROM`. */
  readonly baseImage: string
  /** Something that accepts connections and that a sandbox with network reaches; absent = not tried. */
  readonly network?: SuiteAddress | undefined
  /** False where only one user exists inside, so that no command can run as another (default true). */
  readonly users?: boolean | undefined
  /**
   * A program that opens a sandbox and then prints `open`; it gets the image and the run as its last arguments and is
   * killed without warning. Absent = not tried.
   */
  readonly owner?: readonly string[] | undefined
  /** How many containers, mounts, folders or processes exist that carry this run as a label or in their command. */
  leftovers?(run: string): Promise<number>
  /** Fail instead of skip where the provider cannot work here. */
  readonly required?: boolean | undefined
}

export interface SuiteAddress {
  readonly host: string
  readonly port: number
}

/**
 * What every sandbox provider must do, as vitest tests. Await it at the top level of a test file. Where the provider
 * says that it cannot work, its reason stands in the title of one skipped test.
 */
export async function sandboxSuite(options: SandboxSuiteOptions): Promise<void> {
  // Loaded here so that the other exports of this package work outside a test run.
  const vitest = await import('vitest')
  const { describe, it, beforeAll, afterAll, expect } = vitest
  const provider = await options.create()
  const probe = await provider.probe()
  if (!probe.ok && !options.required) {
    describe(options.name, () => it.skip(`cannot run here: ${probe.detail}`, () => {}))
    return
  }
  const run = `suite-${randomBytes(6).toString('hex')}`
  let built: BuildResult | undefined
  const context: SandboxSuiteContext = {
    vitest,
    provider,
    options,
    run,
    get image() {
      if (!built?.ok) throw new Error('the image of the suite was not built')
      return built.image
    },
    open: (request = {}) =>
      provider.open({
        image: context.image,
        run,
        ...request,
        limits: { cpus: 1, memoryMb: 512, pids: 256, ...request.limits },
      }),
  }
  describe(options.name, () => {
    beforeAll(async () => {
      const files = dockerfileContext(IMAGE_DOCKERFILE(options))
      built = await provider.build({ context: files, run, timeoutMs: 120_000 })
    })
    afterAll(async () => {
      if (built?.ok) await provider.remove(built.image)
    })
    it('says that it can run here', () => expect(probe).toMatchObject({ ok: true }))
    describe('build', () => buildTests(context))
    describe('exec', () => commandTests(context))
    describe('limits', () => limitTests(context))
    describe('files', () => fileTests(context))
    describe('isolation', () => isolationTests(context))
    describe('lifetime', () => lifetimeTests(context))
  })
}
