import type { Position } from './position.ts'

/** Where a value comes from. */
export type Origin =
  | { readonly kind: 'flag'; readonly name: string }
  | { readonly kind: 'env'; readonly name: string }
  | { readonly kind: 'file'; readonly file: string; readonly position: Position | undefined }
  | { readonly kind: 'default' }

export function originText(origin: Origin): string {
  if (origin.kind === 'file') {
    return origin.position ? `${origin.file}:${origin.position.line}:${origin.position.column}` : origin.file
  }
  return origin.kind === 'default' ? 'default' : origin.name
}
