/** `scope::outer > inner > title`; ` > ` inside a title is written ` \> ` (parsers.md §1). */
export function scopedId(scope: string, titles: readonly string[]): string {
  return `${scope}::${titles.map(escapeTitle).join(' > ')}`
}

export function escapeTitle(title: string): string {
  return title.includes(' > ') ? title.replaceAll(' > ', ' \\> ') : title
}
