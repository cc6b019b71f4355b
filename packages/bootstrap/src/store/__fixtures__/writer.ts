// Writes one entry again and again, or holds the lock of a place, until it is killed.
import { takeLock } from '../../../../engine/src/journal/process-lock.ts'
import { openEnvironmentStore } from '../environment-store.ts'
import { PLACE, storedRecipe } from './stored.ts'

const [directory = '', what, key = ''] = process.argv.slice(2)
const store = openEnvironmentStore(directory, takeLock)
if (what === 'hold') {
  await store.lock(PLACE, { signal: new AbortController().signal, onWait: () => {} })
  process.stdout.write('held\n')
  setInterval(() => {}, 1000)
} else
  for (let turn = 0; ; turn++) {
    if (turn === 1) process.stdout.write('writing\n')
    await store.saveRecipe(storedRecipe(key, `turn-${turn}`))
  }
