/** Cuts a text to at most `limit` UTF-16 units, at the end of a sentence (else of a line, else of a word). */
export function capText(text: string, limit: number): string {
  if (text.length <= limit) return text
  const head = text.slice(0, limit + 1)
  const least = Math.floor(limit / 2)
  let end = -1
  for (const match of head.matchAll(/[.!?](?=["')\]]?\s)|[。！？]|\n(?=\n)/g)) end = match.index + 1
  if (end < least) end = Math.max(end, head.lastIndexOf('\n'))
  if (end < least) end = Math.max(end, head.lastIndexOf(' '))
  if (end <= 0) end = limit
  if (/[\uD800-\uDBFF]/.test(head[end - 1]!)) end--
  return closeFence(head.slice(0, end).trimEnd())
}

/** A cut inside a code block drops the block. */
function closeFence(text: string): string {
  const fences = [...text.matchAll(/^ {0,3}(?:```|~~~)/gm)]
  return fences.length % 2 === 0 ? text : text.slice(0, fences.at(-1)!.index).trimEnd()
}
