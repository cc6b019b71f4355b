import { sha256 } from '@noble/hashes/sha2.js'
import { bytesToHex } from '@noble/hashes/utils.js'
import canonicalize from 'canonicalize'
import { encodeUtf8 } from './bytes.ts'
import type { JsonValue } from './json.ts'

/** `sha256:` and 64 lower-case hexadecimal digits. */
export type Digest = `sha256:${string}`

export function sha256Hex(data: Uint8Array | string): string {
  return bytesToHex(sha256(typeof data === 'string' ? encodeUtf8(data) : data))
}

export function digestOf(data: Uint8Array | string): Digest {
  return `sha256:${sha256Hex(data)}`
}

/** JSON in the canonical form of RFC 8785: equal values give equal text. */
export function canonicalJson(value: JsonValue): string {
  return canonicalize(value) as string
}

export function digestJson(value: JsonValue): Digest {
  return digestOf(canonicalJson(value))
}

/**
 * The content hash of a task (contract §8): SHA-256 over the UTF-8 instruction, one zero byte, and the gold diff.
 * Nothing is normalised and nothing else is covered.
 */
export function contentHash(instruction: string, goldDiff: Uint8Array): Digest {
  const hash = sha256.create()
  hash.update(encodeUtf8(instruction)).update(Uint8Array.of(0)).update(goldDiff)
  return `sha256:${bytesToHex(hash.digest())}`
}
