const RESERVED = new Set(['evidence', 'manifest.json', 'registry.json'])

/** Whether a name may be that of a task directory: one plain component that no file of a dataset has. */
export function isTaskId(name: string): boolean {
  return /^[A-Za-z0-9][A-Za-z0-9._-]{0,199}$/.test(name) && !name.includes('..') && !RESERVED.has(name)
}
