import type { Endpoint } from './endpoint.ts'
import { responseFault } from './response-fault.ts'

/** What the SDK may send of its own and of the environment's headers. */
const SENT = ['accept', 'content-type', 'user-agent']

/**
 * The fetch that the SDK works through. It sends the key of this endpoint and none that the SDK finds in the environment,
 * follows no redirect, and tells errors by the response, which the SDK hides in part.
 */
export function endpointFetch(endpoint: Endpoint, fetch: typeof globalThis.fetch): typeof globalThis.fetch {
  return async (input, init) => {
    const given = new Headers(init?.headers)
    const headers = new Headers(
      SENT.flatMap((name) => (given.has(name) ? [[name, given.get(name)!]] : [])) as [string, string][],
    )
    if (endpoint.key) headers.set('authorization', `Bearer ${endpoint.key.value}`)
    const response = await fetch(input, { ...init, headers, redirect: 'manual' })
    if (!response.ok) throw await responseFault(response, endpoint)
    return response
  }
}
