const encoder = new TextEncoder()
const lenient = new TextDecoder('utf-8', { fatal: false, ignoreBOM: true })
const strict = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

export function encodeUtf8(text: string): Uint8Array {
  return encoder.encode(text)
}

/** Reads UTF-8; undecodable bytes become U+FFFD. Never a verdict: use it for text that people or models read. */
export function decodeUtf8(bytes: Uint8Array): string {
  return lenient.decode(bytes)
}

/** Reads UTF-8, or answers undefined when the bytes are not UTF-8. */
export function tryDecodeUtf8(bytes: Uint8Array): string | undefined {
  try {
    return strict.decode(bytes)
  } catch {
    return undefined
  }
}

/**
 * A file path as text that loses no byte: UTF-8 where it is UTF-8; each undecodable byte 0xNN becomes the lone
 * surrogate U+DCNN (Python's "surrogateescape", PEP 383). JSON keeps lone surrogates, so such a path can be stored.
 */
export function pathFromBytes(bytes: Uint8Array): string {
  const whole = tryDecodeUtf8(bytes)
  if (whole !== undefined) return whole
  let out = ''
  for (let i = 0; i < bytes.length; ) {
    const length = utf8Length(bytes, i)
    if (length === 0) {
      out += String.fromCharCode(0xdc00 + bytes[i]!)
      i += 1
    } else {
      out += strict.decode(bytes.subarray(i, i + length))
      i += length
    }
  }
  return out
}

/** The inverse of {@link pathFromBytes}. */
export function pathToBytes(path: string): Uint8Array {
  if (path.isWellFormed()) return encoder.encode(path)
  const parts: number[] = []
  for (const char of path) {
    const code = char.codePointAt(0)!
    if (code >= 0xdc80 && code <= 0xdcff) parts.push(code - 0xdc00)
    else parts.push(...encoder.encode(char))
  }
  return Uint8Array.from(parts)
}

/** Length of the valid UTF-8 sequence at `at`, or 0. */
function utf8Length(bytes: Uint8Array, at: number): number {
  for (let length = 1; length <= 4 && at + length <= bytes.length; length++)
    if (tryDecodeUtf8(bytes.subarray(at, at + length)) !== undefined) return length
  return 0
}
