/** The tree that sandboxes start from, as a list of overlays: one for an unpacked image, several for the host's own tree. */
export interface Root {
  /** Digest prefix; changes when the tree underneath changes. Also the name of its first layer. */
  readonly id: string
  readonly kind: 'host' | 'image'
  /** Parents before children; the first is `/`. */
  readonly parts: readonly RootPart[]
  /** Environment of every command, before the Dockerfile's. */
  readonly env: Readonly<Record<string, string>>
}

export interface RootPart {
  /** Where it stands in the sandbox. */
  readonly path: string
  /** Folder of the host below it; absent where it starts empty. */
  readonly lower?: string | undefined
}

/** What is put over the host's tree before any layer. */
export interface BaseContent {
  readonly folders: readonly { readonly path: string; readonly mode: number }[]
  readonly files: readonly { readonly path: string; readonly mode: number; readonly text: string }[]
  readonly links: readonly { readonly path: string; readonly target: string }[]
  /** Files and folders of the host that no sandbox sees; one that is also among `folders` is shown empty. */
  readonly hidden: readonly string[]
}

export interface RootPlan {
  readonly root: Root
  readonly base: BaseContent
}

/** The part that holds an absolute path: the longest one above it. */
export function partOf(parts: readonly RootPart[], path: string): number {
  let best = 0
  parts.forEach((part, index) => {
    const longer = part.path.length > parts[best]!.path.length
    if (longer && isWithin(path, part.path)) best = index
  })
  return best
}

export function isWithin(path: string, folder: string): boolean {
  return folder === '/' || path === folder || path.startsWith(`${folder}/`)
}
