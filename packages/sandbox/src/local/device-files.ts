import { hostname } from 'node:os'
import type { BaseContent } from './root.ts'

export const DEVICES = ['null', 'zero', 'full', 'random', 'urandom', 'tty'] as const

/** The places that a sandbox's mounts stand on, and the small files that an exported image lacks. */
export function mountPoints(): BaseContent {
  const text = `127.0.0.1\tlocalhost ${hostname()}\n::1\tlocalhost ip6-localhost ip6-loopback\n`
  return {
    folders: [
      ...['/dev', '/dev/pts', '/dev/.r2e', '/dev/.r2e-host', '/dev/.r2e-build', '/proc', '/sys', '/etc'].map(
        (path) => ({
          path,
          mode: 0o755,
        }),
      ),
      { path: '/dev/shm', mode: 0o1777 },
    ],
    files: [
      ...DEVICES.map((name) => ({ path: `/dev/${name}`, mode: 0o666, text: '' })),
      { path: '/etc/hosts', mode: 0o644, text },
      // The live one is bound over it where the network is on.
      { path: '/etc/resolv.conf', mode: 0o644, text: '' },
    ],
    links: [
      { path: '/dev/fd', target: '/proc/self/fd' },
      { path: '/dev/stdin', target: '/proc/self/fd/0' },
      { path: '/dev/stdout', target: '/proc/self/fd/1' },
      { path: '/dev/stderr', target: '/proc/self/fd/2' },
      { path: '/dev/ptmx', target: 'pts/ptmx' },
    ],
    hidden: [],
  }
}
