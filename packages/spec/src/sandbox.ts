import type { FileEntry } from './files.ts'

/**
 * Runs untrusted code. A command that fails or times out is data; only broken infrastructure throws
 * (R2eError, fault transient or bug).
 */
export interface SandboxProvider {
  readonly name: 'docker' | 'local' | 'podman'
  /** Says whether it can work here, and if not what to do. Never throws. */
  probe(signal?: AbortSignal): Promise<SandboxProbe>
  /** Builds a context with a plain `Dockerfile` (FROM, ENV, WORKDIR, USER, COPY, RUN, STOPSIGNAL, ENTRYPOINT, LABEL). Equal contexts share layers. */
  build(request: BuildRequest): Promise<BuildResult>
  /**
   * What a base image is here and now, so that an image built anew is not taken for the old one; undefined where it is
   * not here yet. Absent = the name says all.
   */
  identity?(baseImage: string): Promise<string | undefined>
  /** A fresh copy-on-write sandbox of an image. */
  open(request: OpenRequest): Promise<Sandbox>
  /** Whether an image that a build made is still here. */
  has(image: string): Promise<boolean>
  /** Gives an image a further name, by which it can be opened, asked for and removed. Absent = there are no other names. */
  tag?(image: string, name: string): Promise<void>
  /** Forgets an image; layers that other images share stay cached. */
  remove(image: string): Promise<void>
  /** Removes whatever dead runs of this provider left (containers, mounts, folders). Answers how many. */
  sweep(): Promise<number>
}

export interface SandboxProbe {
  readonly ok: boolean
  /** One line: version and kind, or what is missing. */
  readonly detail: string
  readonly fix?: string | undefined
  /** Things that work less well here, one line each. */
  readonly warnings: readonly string[]
}

export interface BuildRequest {
  /** Relative paths; `Dockerfile` is among them. */
  readonly context: readonly FileEntry[]
  /** Owner label: id of the run. */
  readonly run: string
  readonly timeoutMs: number
  /** Default true: installing needs it. */
  readonly network?: boolean | undefined
  /** Use no layer of an earlier build: every instruction after FROM is carried out anew. */
  readonly fresh?: boolean | undefined
  readonly signal?: AbortSignal | undefined
  readonly onOutput?: ((text: string) => void) | undefined
}

export type BuildResult =
  | { readonly ok: true; readonly image: string; readonly durationMs: number; readonly log: string }
  | {
      readonly ok: false
      readonly reason: 'step_failed' | 'timed_out' | 'base_image_missing'
      /** The instruction that failed, as written. */
      readonly step: string
      readonly durationMs: number
      /** Head and tail of the output. */
      readonly log: string
    }

export interface OpenRequest {
  readonly image: string
  readonly run: string
  /** Off by default: tests never need the network. */
  readonly network?: boolean | undefined
  readonly limits: SandboxLimits
  readonly signal?: AbortSignal | undefined
}

export interface SandboxLimits {
  readonly cpus: number
  readonly memoryMb: number
  readonly pids: number
}

export interface Sandbox extends AsyncDisposable {
  readonly id: string
  exec(request: ExecRequest): Promise<ExecResult>
  /** Writes files below the absolute folder `root`, as root, modes kept, owner root. */
  write(root: string, files: readonly FileEntry[]): Promise<void>
  /** The bytes of a regular file, or undefined; at most `limit` bytes (default 64 MiB), more throws. */
  read(path: string, limit?: number): Promise<Uint8Array | undefined>
}

export interface ExecRequest {
  readonly argv: readonly string[]
  readonly cwd?: string | undefined
  readonly env?: Readonly<Record<string, string>> | undefined
  readonly user?: string | undefined
  readonly stdin?: Uint8Array | undefined
  readonly timeoutMs: number
  /** Bytes kept of each stream, head and tail (default 1 MiB). */
  readonly outputLimit?: number | undefined
  readonly signal?: AbortSignal | undefined
}

export interface ExecResult {
  /** `oom` where the kernel killed for memory; the exit code then is 137. */
  readonly outcome: 'exited' | 'timed_out' | 'oom'
  readonly exitCode: number
  readonly stdout: Uint8Array
  readonly stderr: Uint8Array
  readonly truncated: boolean
  readonly durationMs: number
}
