import type { FileRole } from '@r2e/spec'
import { isDocumentation } from '../path.ts'

const testFolders = new Set(['test', 'tests', 'e2e'])

export function isTestFile(path: string): boolean {
  return path.endsWith('_test.go')
}

export function goRole(path: string): FileRole | undefined {
  if (isDocumentation(path)) return undefined
  const folders = path.split('/').slice(0, -1)
  if (folders.includes('vendor')) return 'other'
  if (isTestFile(path) || folders.includes('testdata')) return 'test'
  if (!path.endsWith('.go')) return undefined
  return folders.some((part) => testFolders.has(part.toLowerCase())) ? 'test' : 'source'
}
