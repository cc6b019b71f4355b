import type { RecipeFile } from '@r2e/spec'
import { joinPath } from '../path.ts'
import { allElements, elementAt, type XmlElement } from '../xml-elements.ts'

interface StubModule {
  readonly folder: string
  readonly pom?: XmlElement
}

/** In a package of their own, since tools that look at packages refuse classes without one. */
const roots = {
  'src/main/java': { name: 'r2e/Stub.java', text: 'package r2e;\n\npublic class Stub {}\n' },
  'src/main/kotlin': { name: 'r2e/KotlinStub.kt', text: 'package r2e\n\nclass KotlinStub\n' },
  'src/test/java': { name: 'r2e/StubTest.java', text: 'package r2e;\n\npublic class StubTest {}\n' },
  'src/test/kotlin': { name: 'r2e/KotlinStubTest.kt', text: 'package r2e\n\nclass KotlinStubTest\n' },
  'src/test/groovy': { name: 'r2e/GroovyStubTest.groovy', text: 'package r2e\n\nclass GroovyStubTest {}\n' },
} as const

/** One empty class, of a test's name where tests are, for each source set that the modules have. */
export function stubSources(paths: readonly string[], modules: readonly StubModule[]): RecipeFile[] {
  const folders = new Set(paths.flatMap(foldersOf))
  return modules.flatMap(({ folder, pom }) => [
    ...Object.entries(roots)
      .filter(([root]) => folders.has(joinPath(folder, root)!))
      .map(([root, { name, text }]) => ({ path: joinPath(folder, `${root}/${name}`)!, text })),
    ...ownFolders(folder, pom).filter(({ path }) => folders.has(path.slice(0, path.lastIndexOf('/r2e/')))),
  ])
}

/** Files by whose presence alone a profile is active: named in the module's pom, or as Apache's parent poms ask for them. */
export function markerFiles(paths: readonly string[], modules: readonly Required<StubModule>[]): RecipeFile[] {
  const named = modules.flatMap(({ folder, pom }) =>
    [...allElements(pom)]
      .filter(({ name }) => name === 'exists')
      .map(({ text }) => joinPath(folder, withoutBase(text))),
  )
  const wanted = new Set(named)
  return paths
    .filter((path) => wanted.has(path) || /(?:^|\/)src\/site\/resources\/profile\.[^/]+$/.test(path))
    .map((path) => ({ path, text: '' }))
}

function withoutBase(path: string): string {
  return path.replace(/^\$\{(?:project\.)?basedir\}\//, '')
}

/** Source folders that a pom names itself; those of usual names are covered. */
function ownFolders(folder: string, pom: XmlElement | undefined): RecipeFile[] {
  const named = { sourceDirectory: roots['src/main/java'], testSourceDirectory: roots['src/test/java'] }
  return Object.entries(named).flatMap(([element, { name, text }]) => {
    const declared = pom && elementAt(pom, 'build', element)?.text
    const root = declared ? joinPath(folder, withoutBase(declared)) : undefined
    return root === undefined || Object.keys(roots).some((usual) => root.endsWith(usual))
      ? []
      : [{ path: `${root}/${name}`, text }]
  })
}

function foldersOf(path: string): string[] {
  const parts = path.split('/')
  return parts.slice(1).map((_, at) => parts.slice(0, at + 1).join('/'))
}
