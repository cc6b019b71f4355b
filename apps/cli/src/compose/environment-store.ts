import type { EnvironmentStore, StoredEnvironment } from '@r2e/bootstrap'
import { userError } from '@r2e/spec'

/** The store of proven environments in a folder. */
export async function openStore(directory: string): Promise<EnvironmentStore> {
  const [{ openEnvironmentStore }, { takeLock }] = await Promise.all([import('@r2e/bootstrap'), import('@r2e/engine')])
  return openEnvironmentStore(directory, takeLock)
}

/**
 * The environments that a text names: an id or its beginning, or the beginning of a commit.
 * @throws R2eError `no_environment` where there is none
 */
export function environmentsNamed(
  environments: readonly StoredEnvironment[],
  text: string,
): readonly [StoredEnvironment, ...StoredEnvironment[]] {
  const [first, ...others] = environments.filter(
    ({ id, record }) => id.startsWith(text) || (text.length >= 4 && record.ref.startsWith(text)),
  )
  if (first && text !== '') return [first, ...others]
  const known = environments.slice(0, 3).map(({ id }) => id)
  throw userError('no_environment', `there is no stored environment ${JSON.stringify(text)}`, {
    fix:
      known.length > 0
        ? `one of them is ${known.join(', ')}; r2e bootstrap list shows all`
        : 'r2e bootstrap --repo PATH makes one',
  })
}

/** The one that a text names. @throws R2eError `no_environment`, `ambiguous_environment` */
export function environmentNamed(environments: readonly StoredEnvironment[], text: string): StoredEnvironment {
  const [first, ...others] = environmentsNamed(environments, text)
  if (others.length === 0) return first
  throw userError('ambiguous_environment', `${others.length + 1} environments are called ${JSON.stringify(text)}`, {
    fix: `give more of the name: ${[first, ...others]
      .slice(0, 3)
      .map(({ id }) => id)
      .join(', ')}`,
  })
}
