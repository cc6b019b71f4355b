import { basename, isAbsolute, join, resolve } from 'node:path'
import type { RunConfig } from '@r2e/spec'

export interface Places {
  /** Working directory: relative paths count from here, in files too. */
  readonly directory: string
  readonly home: string
}

export function expandHome(path: string, home: string): string {
  return path === '~' ? home : path.startsWith('~/') ? join(home, path.slice(2)) : path
}

export function absolutePath(path: string, places: Places): string {
  const expanded = expandHome(path, places.home)
  return isAbsolute(expanded) ? resolve(expanded) : resolve(places.directory, expanded)
}

/** Short forms written out: paths absolute, `owner/name` as an address, the dataset named. */
export function normalise(config: RunConfig, places: Places): RunConfig {
  const destination = absolutePath(config.output.destination, places)
  return {
    ...config,
    repo: { ...config.repo, url: repositoryAddress(config.repo.url, places) },
    output: { ...config.output, destination, dataset_name: config.output.dataset_name ?? basename(destination) },
    bootstrap: { ...config.bootstrap, cache_dir: absolutePath(config.bootstrap.cache_dir, places) },
    sandbox: { ...config.sandbox, rootfs: config.sandbox.rootfs && absolutePath(config.sandbox.rootfs, places) },
  }
}

export function isLocalPath(url: string): boolean {
  return /^(?:\/|~$|~\/|\.{1,2}$|\.{1,2}\/)/.test(url)
}

/** `owner/name` on GitHub: exactly two plain segments, no scheme, no host. */
export function isShorthand(url: string): boolean {
  return /^[A-Za-z0-9][A-Za-z0-9-]*\/[A-Za-z0-9._-]+\/?$/.test(url)
}

export function repositoryAddress(url: string, places: Places): string {
  if (isLocalPath(url)) return absolutePath(url, places)
  if (isShorthand(url)) return `https://github.com/${url.replace(/\/$/, '').replace(/\.git$/, '')}`
  return url
}
