import { pathFromBytes } from '@r2e/spec'
import { type Git, readGit } from './git-process.ts'

/**
 * The newest tag among those that `commit` contains. The time of a tag is that of the commit it names, so an old release
 * that is tagged late stays old; of several tags on one commit the one made last is taken, then the last by name.
 */
export async function findNewestTag(git: Git, commit: string): Promise<string | undefined> {
  const fields = ['%(refname:lstrip=2)', '%(*committerdate:unix)', '%(committerdate:unix)', '%(creatordate:unix)']
  const output = await readGit(git, [
    'for-each-ref',
    `--merged=${commit}`,
    `--format=${fields.join('%00')}`,
    'refs/tags',
  ])
  let newest: { readonly name: string; readonly rank: readonly [number, number] } | undefined
  for (const line of output.toString('latin1').split('\n')) {
    const [name = '', peeled = '', direct = '', created = ''] = line.split('\0')
    const rank = [Number(peeled || direct), Number(created)] as const
    if (name === '' || rank[0] === 0) continue
    if (newest === undefined || compare(rank, newest.rank) >= 0) newest = { name, rank }
  }
  return newest && pathFromBytes(Buffer.from(newest.name, 'latin1'))
}

function compare(a: readonly [number, number], b: readonly [number, number]): number {
  return a[0] - b[0] || a[1] - b[1]
}
