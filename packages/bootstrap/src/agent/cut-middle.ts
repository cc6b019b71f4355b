/** Head and tail: errors stand at the end, what was done at the start. */
export function cutMiddle(text: string, most: number): string {
  if (text.length <= most) return text
  const half = Math.floor(most / 2)
  const left = text.length - 2 * half
  return `${text.slice(0, half)}\n[… ${left} characters left out …]\n${text.slice(-half)}`
}
