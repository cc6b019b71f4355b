import type { Manifests } from '../manifests.ts'
import { isDocumentation } from '../path.ts'
import { isTestFile } from './roles.ts'

/** What PHPUnit reads by itself, the first that is there. */
export const configurations = ['phpunit.xml', 'phpunit.dist.xml', 'phpunit.xml.dist']
const foreign = /(^|\/)(vendor|node_modules|fixtures?|_files|_fixtures?|stubs?|\.[^/]+)\//i

/**
 * The test files that the project's PHPUnit configuration names, read and not run; else every file called `…Test.php`
 * that is no fixture.
 */
export async function phpunitSuite(manifests: Manifests): Promise<string[]> {
  for (const name of configurations) {
    const text = await manifests.read(name)
    if (text === undefined) continue
    const files = configuredFiles(text, manifests.paths)
    if (files.length > 0) return files
    break
  }
  return manifests.paths.filter((path) => isTestFile(path) && !foreign.test(path) && !isDocumentation(path))
}

function configuredFiles(xml: string, paths: readonly string[]): string[] {
  const text = withoutComments(xml)
  const suites = text.slice(Math.max(0, text.search(/<testsuites?\b/)), text.lastIndexOf('</testsuite'))
  const elements = [...suites.matchAll(/<(directory|file|exclude)\b([^<>]*)>([^<]*)</g)].map(
    ([, kind, attributes, place]) => ({
      kind,
      suffix: /\bsuffix="([^"]*)"/.exec(attributes!)?.[1] ?? 'Test.php',
      below: below(place!),
    }),
  )
  const excluded = elements.filter(({ kind }) => kind === 'exclude')
  const wanted = elements.filter(({ kind }) => kind !== 'exclude')
  return paths.filter(
    (path) =>
      wanted.some((rule) => rule.below.test(path) && (rule.kind === 'file' || path.endsWith(rule.suffix))) &&
      path.endsWith('.php') &&
      !excluded.some((rule) => rule.below.test(path)),
  )
}

function withoutComments(xml: string): string {
  const [first = '', ...rest] = xml.split('<!--')
  return first + rest.map((part) => (part.includes('-->') ? part.slice(part.indexOf('-->') + 3) : '')).join('')
}

/** A path, or what lies below it; `*` stands for one folder. */
function below(text: string): RegExp {
  const parts = text
    .trim()
    .split('/')
    .filter((part) => part !== '' && part !== '.')
  const pattern = parts.map((part) => part.replace(/[.+?^${}()|[\]\\]/g, '\\$&').replaceAll('*', '[^/]*')).join('/')
  return new RegExp(pattern === '' ? '^' : `^${pattern}(?:/|$)`)
}
