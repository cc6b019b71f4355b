const RUNS = /[\p{L}\p{N}\p{M}]+/gu
/** Scripts written without blanks: two characters stand for about one word. */
const DENSE = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Khmer}\p{Script=Lao}]/gu

/**
 * Words of a text in any language: runs of letters and digits, so `net/http: fix panic` has four and code counts as it
 * is spelled. Scripts without blanks count half a word a character.
 */
export function countWords(text: string): number {
  const dense = text.match(DENSE)?.length ?? 0
  return (text.replace(DENSE, ' ').match(RUNS)?.length ?? 0) + Math.ceil(dense / 2)
}
