import { spawn } from 'node:child_process'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createBench, output, temporaryFolder, unsupported } from './__fixtures__/local-bench.ts'
import { NO_GROUPS } from './cgroup.ts'
import { killCommand } from './enter.ts'
import { detectIdentity } from './identity.ts'
import { descendants, listProcesses } from './process-tree.ts'
import { runHost } from './run-host.ts'
import { createToolBox } from './tool-box.ts'

describe.skipIf(unsupported)(`confinement${unsupported ? ` (cannot run here: ${unsupported})` : ''}`, () => {
  const bench = createBench({ stateDirectory: temporaryFolder('r2e odd, name:') })
  const boxFolder = temporaryFolder()
  let sandbox: Awaited<ReturnType<typeof bench.open>>
  beforeAll(async () => {
    sandbox = await bench.open()
  })
  afterAll(async () => await sandbox?.[Symbol.asyncDispose]())

  it('keeps the powers of root over mounts, devices and the kernel from root inside', async () => {
    const tried = await output(
      sandbox,
      `for try in 'mount -t tmpfs none /mnt' 'umount /proc/sys' 'umount /dev/.r2e' 'mknod /tmp/disk b 254 0' \\
        'chmod 666 /dev/null' 'touch /dev/.r2e/x' 'mv /dev/.r2e /dev/other' 'cat /proc/1/environ' 'ls /proc/1/root/' \\
        'tee /proc/sys/kernel/core_pattern' 'tee /proc/sysrq-trigger' 'hostname other'; do
        $try </dev/null >/dev/null 2>&1 && echo "done: $try"; done; echo end`,
    )
    expect(tried).toBe('end\n')
  })

  it('keeps them from a user namespace made inside', async () => {
    const tried = await output(
      sandbox,
      `unshare --user --map-root-user --mount sh -c '
        umount /dev/.r2e && echo unmounted; mount -o remount,rw /dev/.r2e && echo remounted
        mount --bind / /mnt && echo bound; mv /dev/.r2e /dev/other && echo moved; ls -A /dev/.r2e-host' 2>/dev/null; echo end`,
    )
    expect(tried).toBe('end\n')
  })

  it('lets no variable of a command change the programs that start it', async () => {
    const env = { LD_PRELOAD: '/tmp/no-such.so', PATH: '/tmp/evil:/usr/bin:/bin', 'odd.name': 'kept', PWD: '/given' }
    await output(
      sandbox,
      'mkdir -p /tmp/evil; for name in nsenter sh setpriv env; do printf "#!/bin/sh\\necho evil" > /tmp/evil/$name; done',
    )
    const result = await sandbox.exec({ argv: ['/usr/bin/env'], env, timeoutMs: 10_000 })
    const seen = Buffer.from(result.stdout).toString()
    expect(seen).toContain('LD_PRELOAD=/tmp/no-such.so\n')
    expect(seen).toContain('odd.name=kept\n')
    expect(seen).toContain('PWD=/given\n')
    expect(seen).not.toMatch(/evil$|SHLVL|OLDPWD/)
    // The loader complains once: for the command, not for what ran before it.
    expect(
      Buffer.from(result.stderr)
        .toString()
        .match(/no-such\.so/g),
    ).toHaveLength(1)
  })

  it('reaps what is orphaned, so that a sandbox never fills with dead processes', async () => {
    const script =
      'i=0; while [ $i -lt 200 ]; do (sh -c "exit 0" & ) ; i=$((i+1)); done; sleep 0.2; ps -A -o stat= | grep -c Z'
    expect(await output(sandbox, script)).toBe('0\n')
  })

  it('can end everything only inside a sandbox: in another place the program for it does not exist', async () => {
    const identity = await detectIdentity()
    if ('error' in identity) throw new Error(identity.error)
    // Namespaces of their own, but no sandbox: should the guard fail, the kill stays in there.
    const flags = [...identity.mapFlags, '--mount', '--pid', '--fork', '--kill-child']
    const other = spawn('unshare', [...flags, 'sh', '-c', 'sleep 30 & sleep 30'], { stdio: 'ignore' })
    try {
      await sleep(500)
      const [pid = 0] = descendants(listProcesses(), new Set([other.pid ?? 0]))
        .map((found) => found.pid)
        .sort((a, b) => a - b)
      const toolBox = await createToolBox(boxFolder)
      const result = await runHost({
        argv: killCommand({ pid, identity, toolBox, network: false, groups: NO_GROUPS }),
      })
      expect(result).toMatchObject({ exitCode: 127, stderr: expect.stringContaining('failed to execute /dev/.r2e/') })
    } finally {
      other.kill('SIGKILL')
    }
  })
})
