import type { EnvironmentStore, StoredEnvironment } from '@r2e/bootstrap'
import type { Context } from '../context.ts'
import { printable } from '../output/printable.ts'
import { createProvider } from './sandboxes.ts'

export interface Forgetting {
  readonly store: EnvironmentStore
  readonly stateDirectory: string
  readonly rootfs: string | null
  readonly context: Context
}

/** Removes an environment from its store, and its image unless another environment has the same. */
export async function forgetEnvironment(environment: StoredEnvironment, forgetting: Forgetting): Promise<void> {
  const { store, context } = forgetting
  const { image_tag, extra } = environment.record
  await store.remove(environment)
  if ((await store.list()).some(({ record }) => record.image_tag === image_tag)) return
  try {
    const provider = await createProvider(extra.sandbox === 'local' ? 'local' : 'docker', forgetting)
    await provider.remove(image_tag)
  } catch (error) {
    context.output.warn(`warning: the image ${printable(image_tag)} stays: ${printable((error as Error).message)}`)
  }
}
