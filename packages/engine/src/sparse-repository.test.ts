import type { Commit, FileChange, Repository } from '@r2e/spec'
import { describe, expect, it } from 'vitest'
import { sparseRepository } from './sparse-repository.ts'

const change = (path: string) => ({ path, oldPath: path }) as FileChange

class Fixed {
  readonly name = 'fixed'
  readonly changes = [change('lib/a.py'), change('docs/a.md')]
  async diff() {
    return this.changes
  }
  async *commits() {
    yield { id: '1', changes: this.changes } as unknown as Commit
    yield { id: '2', changes: [change('library/b.py')] } as unknown as Commit
  }
  async rootCommit() {
    return this.name
  }
}

const fixed = new Fixed() as unknown as Repository
const query = { firstParent: true }

describe('sparseRepository', () => {
  it('keeps a change whole that touches one of the paths, and empties every other', async () => {
    const seen: [string, number][] = []
    for await (const commit of sparseRepository(fixed, ['lib/']).commits!(query))
      seen.push([commit.id, commit.changes.length])
    expect(seen).toEqual([
      ['1', 2],
      ['2', 0],
    ])
    expect(await sparseRepository(fixed, ['src']).diff('1', '2')).toEqual([])
    expect(await sparseRepository(fixed, ['docs/a.md']).diff('1', '2')).toHaveLength(2)
  })

  it('leaves a source of any class its other methods', async () => {
    const sparse = sparseRepository(fixed, ['lib'])
    expect([await sparse.rootCommit(), sparse.name]).toEqual(['fixed', 'fixed'])
  })

  it('is the repository itself where no paths are given', () => {
    expect(sparseRepository(fixed, [])).toBe(fixed)
  })
})
