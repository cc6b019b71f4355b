import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { removeControlGroups } from './cgroup.ts'
import { pruneLayers } from './layers.ts'
import { isOwnerDead } from './owner.ts'
import { removeTree, type Store } from './store.ts'

/** Removes what dead processes left, and layers nobody needs. Answers how many folders went. */
export async function sweepStore(store: Store): Promise<number> {
  let count = 0
  for (const folder of ['s', 'n'])
    for (const name of await readdir(join(store.directory, folder))) {
      if (!isOwnerDead(name)) continue
      await removeTree(store, join(store.directory, folder, name))
      removeControlGroups(name)
      count += 1
    }
  await pruneLayers(store)
  return count
}
