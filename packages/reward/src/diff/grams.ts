/**
 * Equal runs of symbols, compared in constant time and exactly (no hashing by chance): `names[k][i]` is equal for two
 * positions where the 2^k symbols from there are equal, after Karp, Miller and Rosenberg (1972). A run of any length L
 * is named by two overlapping powers of two.
 */
export interface Grams {
  readonly symbols: Int32Array
  readonly names: Int32Array[]
}

/** The runs of one length: two positions hold equal runs where `names` agree there and `shift` further on. */
export interface Gram {
  readonly length: number
  readonly names: Int32Array
  readonly shift: number
}

export function createGrams(symbols: Int32Array): Grams {
  return { symbols, names: [symbols] }
}

export function gramOf(grams: Grams, length: number): Gram {
  const level = 31 - Math.clz32(length)
  while (grams.names.length <= level) grams.names.push(nextLevel(grams))
  return { length, names: grams.names[level]!, shift: length - 2 ** level }
}

export function sameGram(gram: Gram, i: number, j: number): boolean {
  const { names, shift } = gram
  return names[i] === names[j] && names[i + shift] === names[j + shift]
}

export function gramHash(gram: Gram, i: number): number {
  let hash = Math.imul(gram.names[i]! + 1, 0x9e3779b1) ^ Math.imul(gram.names[i + gram.shift]! + 1, 0x85ebca77)
  hash = Math.imul(hash ^ (hash >>> 15), 0x2c1b3c6d)
  return hash ^ (hash >>> 13)
}

function nextLevel({ symbols, names }: Grams): Int32Array {
  const half = 2 ** (names.length - 1)
  const last = names.at(-1)!
  const pair: Gram = { length: 2 * half, names: last, shift: half }
  const count = Math.max(0, symbols.length - 2 * half + 1)
  const mask = tableSize(count) - 1
  const slots = new Int32Array(mask + 1).fill(-1)
  const out = new Int32Array(symbols.length)
  let fresh = 0
  for (let i = 0; i < count; i++) {
    let slot = gramHash(pair, i) & mask
    while (slots[slot]! >= 0 && !sameGram(pair, slots[slot]!, i)) slot = (slot + 1) & mask
    if (slots[slot]! < 0) {
      slots[slot] = i
      out[i] = fresh++
    } else out[i] = out[slots[slot]!]!
  }
  return out
}

/** A power of two at least twice the entries. */
export function tableSize(entries: number): number {
  return 2 ** (32 - Math.clz32(Math.max(1, 2 * entries - 1)))
}
