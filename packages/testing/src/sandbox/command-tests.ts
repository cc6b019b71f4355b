import { type ExecRequest, type ExecResult, R2eError, type Sandbox } from '@r2e/spec'
import type { SandboxSuiteContext } from './suite-context.ts'
import { bytes, shell, text } from './suite-context.ts'

export function commandTests(context: SandboxSuiteContext): void {
  const { options, vitest } = context
  const { afterAll, beforeAll, expect, it } = vitest
  let opened: Sandbox | undefined
  beforeAll(async () => {
    opened = await context.open()
  })
  afterAll(async () => await opened?.[Symbol.asyncDispose]())
  const sandbox = (): Sandbox => {
    if (!opened) throw new R2eError('no_sandbox', 'bug', 'the sandbox was not opened')
    return opened
  }
  const exec = (argv: readonly string[], more: Partial<ExecRequest> = {}): Promise<ExecResult> =>
    sandbox().exec({ argv, timeoutMs: 20_000, ...more })

  it('answers exit codes as they are', async () => {
    for (const code of [0, 1, 42, 126, 127, 255])
      expect(await exec(['sh', '-c', `exit ${code}`])).toMatchObject({ outcome: 'exited', exitCode: code })
  })

  it('answers 128 and the signal for a command that a signal ended', async () => {
    expect(await exec(['sh', '-c', 'kill -9 $$'])).toMatchObject({ outcome: 'exited', exitCode: 137 })
    expect(await exec(['sh', '-c', 'kill -15 $$'])).toMatchObject({ outcome: 'exited', exitCode: 143 })
  })

  it('takes a command, a folder or a user that does not exist for a failed command', async () => {
    const results = [
      await exec(['no-such-command']),
      await exec(['true'], { cwd: '/no/such/folder' }),
      await exec(['true'], { user: 'no-such-user' }),
    ]
    for (const result of results) expect([126, 127]).toContain(result.exitCode)
  })

  it('keeps the bytes of both streams apart and whole', async () => {
    const result = await exec(['bash', '-c', "printf '\\377\\000\\376\\r\\n'; printf '\\200err' >&2"])
    expect(Buffer.from(result.stdout)).toEqual(Buffer.from([0xff, 0, 0xfe, 13, 10]))
    expect(Buffer.from(result.stderr)).toEqual(Buffer.from([0x80, 0x65, 0x72, 0x72]))
    expect(result.truncated).toBe(false)
  })

  it('passes arguments and variables whole [D11]', async () => {
    const odd = ['', ' ', 'a b', '$(id)', "it's", '"q"', 'new\nline', 'back\\slash', 'ünï', '*', '-n']
    const result = await exec(['printf', '%s\\0', ...odd])
    expect(text(result.stdout)?.split('\0').slice(0, -1)).toEqual(odd)
    for (const value of odd)
      expect(text((await exec(['printenv', 'ODD'], { env: { ODD: value } })).stdout)).toBe(`${value}\n`)
  })

  it('adds its variables to those of the image', async () => {
    expect(text((await exec(['sh', '-c', 'echo "$GREETING $MORE"'], { env: { MORE: 'more' } })).stdout)).toBe(
      'hello more\n',
    )
    expect(text((await exec(['sh', '-c', 'echo "$GREETING"'], { env: { GREETING: 'own' } })).stdout)).toBe('own\n')
  })

  it('runs in the work folder of the image, or the one asked for', async () => {
    expect(text((await exec(['pwd'])).stdout)).toBe('/work/tree\n')
    expect(text((await exec(['pwd'], { cwd: '/usr' })).stdout)).toBe('/usr\n')
  })

  if (options.users !== false)
    it('runs as the user of the image, or the one asked for', async () => {
      expect(text((await exec(['id', '-un'])).stdout)).toBe('nobody\n')
      expect(text((await exec(['id', '-un'], { user: 'root' })).stdout)).toBe('root\n')
      expect(text((await exec(['id', '-u'], { user: '1234:1234' })).stdout)).toBe('1234\n')
    })

  it('feeds standard input and closes it', async () => {
    const input = Buffer.alloc(3_000_000, 'abc\xff\n', 'latin1')
    const result = await exec(['sh', '-c', 'cksum; echo end'], { stdin: input })
    const expected = await exec(['sh', '-c', 'yes "$(printf "abc\\377")" | head -c 3000000 | cksum; echo end'])
    expect(text(result.stdout)).toBe(text(expected.stdout))
    expect(text((await exec(['cat'], { stdin: bytes('') })).stdout)).toBe('')
  })

  it('gives no input where none is given', async () => {
    expect(await exec(['cat'])).toMatchObject({ outcome: 'exited', exitCode: 0 })
  })

  it('survives a command that leaves its input unread', async () => {
    expect(await exec(['true'], { stdin: Buffer.alloc(5_000_000) })).toMatchObject({ exitCode: 0 })
  })

  it('keeps head and tail of a long output and says so', async () => {
    const script = "printf START; head -c 5000000 /dev/zero | tr '\\0' x; printf END"
    const result = await exec(['bash', '-c', `{ ${script}; } >&2; ${script}`], { outputLimit: 1000 })
    expect(result).toMatchObject({ truncated: true, exitCode: 0 })
    for (const stream of [result.stdout, result.stderr]) {
      expect(text(stream)).toMatch(/^STARTx+[\s\S]*x+END$/)
      expect(stream.length).toBeLessThan(1200)
    }
  })

  it('measures how long a command took', async () => {
    const { durationMs } = await exec(['sleep', '1'])
    expect(durationMs).toBeGreaterThanOrEqual(990)
    expect(durationMs).toBeLessThan(5000)
  })

  it('returns when the command ends, whoever still holds its output [D08]', async () => {
    const result = await exec(['sh', '-c', 'sleep 70 & echo done'], { timeoutMs: 60_000 })
    expect(result).toMatchObject({ outcome: 'exited', exitCode: 0 })
    expect(text(result.stdout)).toBe('done\n')
    expect(result.durationMs).toBeLessThan(10_000)
  })

  it('waits for a command that closed its output', async () => {
    const result = await exec(['bash', '-c', 'exec >&- 2>&-; sleep 1; exit 7'])
    expect(result).toMatchObject({ outcome: 'exited', exitCode: 7 })
  })

  it('runs several commands at one time', async () => {
    const results = await Promise.all(['a', 'b', 'c'].map((word) => exec(['sh', '-c', `sleep 0.5; echo ${word}`])))
    expect(results.map(({ stdout }) => text(stdout))).toEqual(['a\n', 'b\n', 'c\n'])
  })

  it('lets one command find what another left', async () => {
    await shell(sandbox(), 'echo kept > /work/tree/between')
    expect(await shell(sandbox(), 'cat /work/tree/between')).toBe('kept\n')
  })
}
