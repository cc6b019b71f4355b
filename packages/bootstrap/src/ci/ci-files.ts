import { decodeUtf8, type Tree, type TreeEntry } from '@r2e/spec'

/** Texts of the files that say how a repository is built and tested, by path. */
export type CiFiles = ReadonlyMap<string, string>

/** The text of a file of the tree, where it was read. */
export type FindText = (path: string) => string | undefined

export type CiFileKind = 'workflow' | 'action' | 'gitlab' | 'devcontainer' | 'dockerfile' | 'makefile' | 'script'

interface Place {
  readonly kind: CiFileKind
  readonly pattern: RegExp
  readonly most: number
}

/** In the order in which a file is taken for one of them. */
const places: readonly Place[] = [
  { kind: 'workflow', pattern: /^\.github\/workflows\/[^/]+\.ya?ml$/, most: 40 },
  { kind: 'action', pattern: /^(?:[^/]+\/){0,4}action\.ya?ml$/, most: 20 },
  { kind: 'gitlab', pattern: /^\.gitlab-ci\.ya?ml$/, most: 1 },
  { kind: 'devcontainer', pattern: /^\.devcontainer(?:\/[^/]+)?\/devcontainer\.json$|^\.devcontainer\.json$/, most: 4 },
  {
    kind: 'dockerfile',
    pattern:
      /^(?:(?:\.devcontainer|\.github|\.gitlab|\.ci|ci|docker|dockerfiles?|tests?|dev|build|tools|etc)\/(?:[^/]+\/){0,2})?(?:Dockerfile|Containerfile)(?:[.-](?:dev|devel|development|test|tests|testing|ci|build|ubuntu|debian)[\w.-]*)?$/i,
    most: 6,
  },
  { kind: 'makefile', pattern: /^(?:[^/]+\/)?(?:GNUmakefile|[Mm]akefile)$/, most: 10 },
  {
    kind: 'script',
    pattern:
      /^(?:(?:\.github|\.gitlab|\.ci|\.circleci|\.travis|\.devcontainer|ci|continuous_integration|scripts?|tools|build_tools|build|etc|bin|dev|hack|support|tests?)\/(?:[^/]+\/){0,2})?[\w.-]+\.(?:sh|bash)$/,
    most: 60,
  },
  { kind: 'script', pattern: /^(?:\.github|\.ci|ci|scripts?|bin|dev)\/(?:[^/]+\/)?[\w-]+$/, most: 60 },
]

const largest = 64 * 1024
/** Of all that are read. */
const mostBytes = 1024 * 1024

/** Which of some paths are read, and as what. */
export function ciFileKind(path: string): CiFileKind | undefined {
  return places.find(({ pattern }) => pattern.test(path))?.kind
}

/** The files that are read; links, and files larger than a person writes, are left out. */
export async function ciFileEntries(tree: Tree): Promise<readonly TreeEntry[]> {
  const counts = new Map<CiFileKind, number>()
  let bytes = 0
  const isWanted = ({ path, mode, size }: TreeEntry): boolean => {
    const place = mode === '120000' || size > largest ? undefined : places.find(({ pattern }) => pattern.test(path))
    if (place === undefined) return false
    const count = (counts.get(place.kind) ?? 0) + 1
    counts.set(place.kind, count)
    if (count > place.most || bytes + size > mostBytes) return false
    bytes += size
    return true
  }
  return [...(await tree.entries())].sort(byPath).filter(isWanted)
}

export async function readCiFiles(tree: Tree, entries: readonly TreeEntry[]): Promise<CiFiles> {
  const found = await tree.readAll(entries.map(({ path }) => path))
  return new Map(entries.flatMap(({ path }) => (found.has(path) ? [[path, decodeUtf8(found.get(path)!)]] : [])))
}

function byPath(a: { readonly path: string }, b: { readonly path: string }): number {
  return a.path < b.path ? -1 : a.path > b.path ? 1 : 0
}
