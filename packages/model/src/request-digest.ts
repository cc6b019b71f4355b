import { type Digest, digestJson, type JsonObject, type JsonValue, type ModelRequest } from '@r2e/spec'
import { mapTexts } from './map-texts.ts'

/**
 * Names the reply to a request. Without an identity the same for every model: so a transcript answers whatever model is
 * configured. Cut texts may hold half a surrogate pair, which canonical JSON refuses and no endpoint receives.
 */
export function requestDigest(request: ModelRequest, identity?: JsonObject): Digest {
  const key = identity === undefined ? request : { identity, request }
  return digestJson(mapTexts(key as unknown as JsonValue, (text) => text.toWellFormed()))
}
