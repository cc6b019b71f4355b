import { createGrams, type Gram, type Grams, gramHash, gramOf, sameGram, tableSize } from './grams.ts'

/**
 * The sum of the sizes of the matching blocks of Ratcliff and Obershelp: the longest common block (ties by smallest
 * start in `a`, then in `b`), then the same left and right of it. The number equals that of Python's
 * `difflib.SequenceMatcher(None, a, b, autojunk=False)`.
 *
 * A region is searched once per length of its longest block, not once per block: all blocks of that length are found in
 * one walk from left to right, and what lies between them holds only shorter ones. The lengths along a chain of nested
 * regions are distinct and their sum is at most the input, so at most sqrt(2n) walks see one line: O(n·sqrt(n)·log(n))
 * at worst, near-linear in practice.
 */
export function countMatches(a: readonly string[], b: readonly string[]): number {
  const search: Search = {
    grams: createGrams(intern(a, b)),
    slots: new Int32Array(tableSize(b.length)),
    heads: new Int32Array(tableSize(b.length)),
    next: new Int32Array(a.length + b.length),
  }
  const root: Region = { alo: 0, ahi: a.length, blo: a.length, bhi: a.length + b.length, limit: 0 }
  const stack: Region[] = [{ ...root, limit: rootLimit(search, root) }]
  let matches = 0
  for (let region = stack.pop(); region; region = stack.pop()) {
    const length = longestBlock(search, region)
    if (length > 0) matches += walk(search, region, gramOf(search.grams, length), stack)
  }
  return matches
}

/** Positions in the joined symbols of both texts. No common block is longer than `limit`. */
interface Region {
  readonly alo: number
  readonly ahi: number
  readonly blo: number
  readonly bhi: number
  readonly limit: number
}

/** `slots` to a position in b that stands for its gram, `heads` to the first usable one, `next` to the one after it. */
interface Search {
  readonly grams: Grams
  readonly slots: Int32Array
  readonly heads: Int32Array
  readonly next: Int32Array
}

function intern(a: readonly string[], b: readonly string[]): Int32Array {
  const known = new Map<string, number>()
  const symbols = new Int32Array(a.length + b.length)
  let at = 0
  for (const lines of [a, b])
    for (const line of lines) {
      let symbol = known.get(line)
      if (symbol === undefined) {
        symbol = known.size
        known.set(line, symbol)
      }
      symbols[at++] = symbol
    }
  return symbols
}

/** Doubles a length until no block has it, so that no level of names is made in vain. */
function rootLimit(search: Search, root: Region): number {
  const most = Math.min(root.ahi - root.alo, root.bhi - root.blo)
  let length = 1
  while (length <= most && hasBlock(search, root, length)) length *= 2
  return Math.min(most, length - 1)
}

/** Gallops down from the limit, then halves. */
function longestBlock(search: Search, region: Region): number {
  let high = Math.min(region.limit, region.ahi - region.alo, region.bhi - region.blo) + 1
  if (high <= 1 || !hasBlock(search, region, 1)) return 0
  let low = 1
  for (let step = 1; high - step > low; step *= 2) {
    if (hasBlock(search, region, high - step)) {
      low = high - step
      break
    }
    high -= step
  }
  while (high - low > 1) {
    const middle = (low + high) >>> 1
    if (hasBlock(search, region, middle)) low = middle
    else high = middle
  }
  return low
}

function hasBlock(search: Search, region: Region, length: number): boolean {
  const gram = gramOf(search.grams, length)
  const mask = index(search, region, gram)
  for (let i = region.alo; i + length <= region.ahi; i++)
    if (search.slots[find(search, gram, i, mask)]! >= 0) return true
  return false
}

/** Takes every block of this (longest) length from left to right; pushes the gaps. Answers the matched lines. */
function walk(search: Search, region: Region, gram: Gram, stack: Region[]): number {
  const { heads, next } = search
  const { ahi, bhi } = region
  const limit = gram.length - 1
  const mask = index(search, region, gram)
  let { alo, blo } = region
  let matches = 0
  for (let i = alo; i + gram.length <= ahi; ) {
    const slot = find(search, gram, i, mask)
    let j = search.slots[slot]! < 0 ? -1 : heads[slot]!
    while (j >= 0 && j < blo) j = next[j]!
    if (search.slots[slot]! >= 0) heads[slot] = j
    if (j < 0) {
      i++
      continue
    }
    push(stack, { alo, ahi: i, blo, bhi: j, limit })
    matches += gram.length
    i += gram.length
    alo = i
    blo = j + gram.length
  }
  push(stack, { alo, ahi, blo, bhi, limit })
  return matches
}

function push(stack: Region[], region: Region): void {
  if (region.limit > 0 && region.alo < region.ahi && region.blo < region.bhi) stack.push(region)
}

/** Enters the grams of b's side from right to left, so that the head is the leftmost. Answers the mask of the table. */
function index(search: Search, region: Region, gram: Gram): number {
  const { slots, heads, next } = search
  const last = region.bhi - gram.length
  const mask = tableSize(last - region.blo + 1) - 1
  slots.fill(-1, 0, mask + 1)
  for (let j = last; j >= region.blo; j--) {
    const slot = find(search, gram, j, mask)
    if (slots[slot]! < 0) {
      slots[slot] = j
      next[j] = -1
    } else next[j] = heads[slot]!
    heads[slot] = j
  }
  return mask
}

function find({ slots }: Search, gram: Gram, i: number, mask: number): number {
  let slot = gramHash(gram, i) & mask
  while (slots[slot]! >= 0 && !sameGram(gram, slots[slot]!, i)) slot = (slot + 1) & mask
  return slot
}
