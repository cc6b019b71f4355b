import type { RecipeFile } from '@r2e/spec'
import { joinPath } from '../path.ts'
import { elementAt, type XmlElement } from '../xml-elements.ts'

interface StubModule {
  readonly folder: string
  readonly pom?: XmlElement
}

const roots = {
  'src/main/java': { name: 'R2eStub.java', text: 'class R2eStub {}\n' },
  'src/main/kotlin': { name: 'R2eKotlinStub.kt', text: 'class R2eKotlinStub\n' },
  'src/test/java': { name: 'R2eStubTest.java', text: 'public class R2eStubTest {}\n' },
  'src/test/kotlin': { name: 'R2eKotlinStubTest.kt', text: 'class R2eKotlinStubTest\n' },
  'src/test/groovy': { name: 'R2eGroovyStubTest.groovy', text: 'class R2eGroovyStubTest {}\n' },
} as const

/** One empty class, of a test's name where tests are, for each source set that the modules have. */
export function stubSources(paths: readonly string[], modules: readonly StubModule[]): RecipeFile[] {
  const folders = new Set(paths.flatMap(foldersOf))
  return modules.flatMap(({ folder, pom }) => [
    ...Object.entries(roots)
      .filter(([root]) => folders.has(joinPath(folder, root)!))
      .map(([root, { name, text }]) => ({ path: joinPath(folder, `${root}/${name}`)!, text })),
    ...ownFolders(folder, pom).filter(({ path }) => folders.has(path.slice(0, path.lastIndexOf('/')))),
  ])
}

/** Source folders that a pom names itself; those of usual names are covered. */
function ownFolders(folder: string, pom: XmlElement | undefined): RecipeFile[] {
  const named = { sourceDirectory: roots['src/main/java'], testSourceDirectory: roots['src/test/java'] }
  return Object.entries(named).flatMap(([element, { name, text }]) => {
    const declared = pom && elementAt(pom, 'build', element)?.text.replace(/^\$\{(?:project\.)?basedir\}\//, '')
    const root = declared ? joinPath(folder, declared) : undefined
    return root === undefined || Object.keys(roots).some((usual) => root.endsWith(usual))
      ? []
      : [{ path: `${root}/${name}`, text }]
  })
}

function foldersOf(path: string): string[] {
  const parts = path.split('/')
  return parts.slice(1).map((_, at) => parts.slice(0, at + 1).join('/'))
}
