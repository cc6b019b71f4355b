import type { Manifests } from '../manifests.ts'
import { folderOf } from '../path.ts'
import { pathPattern } from '../path-pattern.ts'
import { type PackageJson, parsePackageJson, record, textList } from './package-json.ts'

export interface Package {
  /** `` at the root. */
  readonly folder: string
  readonly manifest: PackageJson
}

const most = 400

/** The root package and the members of its workspace, the root first. Nothing where the root has no package.json. */
export async function readPackages(manifests: Manifests): Promise<readonly Package[]> {
  const text = await manifests.read('package.json')
  const root = text === undefined ? undefined : parsePackageJson(text)
  if (root === undefined) return []
  const declared = await memberPatterns(manifests, root)
  const patterns = declared.length > 0 ? declared : await lernaPatterns(manifests)
  const folders = manifests.paths
    .filter((path) => path.endsWith('/package.json') && !path.includes('node_modules/') && !/[\n\r\\]/.test(path))
    .map(folderOf)
    .filter(memberOf(patterns))
    .slice(0, most)
  const members = await Promise.all(
    folders.map(async (folder) => {
      const manifest = parsePackageJson((await manifests.read(`${folder}/package.json`)) ?? '')
      return manifest === undefined ? [] : [{ folder, manifest }]
    }),
  )
  const manifest = declared.length > 0 || patterns.length === 0 ? root : withWorkspaces(root, patterns)
  return [{ folder: '', manifest }, ...members.flat()]
}

async function memberPatterns(manifests: Manifests, root: PackageJson): Promise<readonly string[]> {
  const written = root.fields.workspaces
  const own = Array.isArray(written) ? textList(written) : textList(record(written).packages)
  const yaml = await manifests.read('pnpm-workspace.yaml')
  return [...own, ...(yaml === undefined ? [] : yamlList(yaml, 'packages'))]
}

/** The members that lerna names where the package manager knows of none. */
async function lernaPatterns(manifests: Manifests): Promise<readonly string[]> {
  const text = await manifests.read('lerna.json')
  if (text === undefined) return []
  const written = textList(parsePackageJson(text)?.fields.packages)
  return written.length > 0 ? written : ['packages/*']
}

/** What the manager is to install: the members and what they ask for. */
function withWorkspaces(root: PackageJson, workspaces: readonly string[]): PackageJson {
  return { ...root, fields: { ...root.fields, private: true, workspaces } }
}

/** The items of a list at the top level: `packages:` with `- 'a/*'` lines below it. */
function yamlList(yaml: string, key: string): string[] {
  const lines = yaml.split(/\r?\n/)
  const start = lines.findIndex((line) => new RegExp(`^${key}:\\s*(#.*)?$`).test(line))
  const items: string[] = []
  for (const line of start < 0 ? [] : lines.slice(start + 1)) {
    const item = /^\s*-\s*(?:'([^']*)'|"([^"]*)"|([^\s#]+))/.exec(line)
    if (item) items.push(item[1] ?? item[2] ?? item[3]!)
    else if (/^\S/.test(line) && !line.startsWith('#')) break
  }
  return items
}

/** The last pattern that matches decides. */
function memberOf(patterns: readonly string[]): (folder: string) => boolean {
  const rules = patterns.map((pattern) => ({
    excluded: pattern.startsWith('!'),
    matches: pathPattern(pattern.replace(/^!/, '')),
  }))
  return (folder) => rules.findLast(({ matches }) => matches(folder))?.excluded === false
}
