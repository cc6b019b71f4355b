const tails = new Map<string, Promise<unknown>>()

/** Runs actions of one key one after the other, whatever becomes of those before. Within this process only. */
export async function withLock<T>(key: string, action: () => Promise<T>): Promise<T> {
  const before = tails.get(key)
  const own = (before ?? Promise.resolve()).catch(() => undefined).then(action)
  tails.set(key, own)
  try {
    return await own
  } finally {
    if (tails.get(key) === own) tails.delete(key)
  }
}
