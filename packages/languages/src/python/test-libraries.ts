import { logicalLines } from './logical-lines.ts'

/** Import name → distribution, for libraries that tests use and projects forget to declare. A fixed list: no guessing. */
const libraries: Readonly<Record<string, string>> = {
  aioresponses: 'aioresponses',
  ddt: 'ddt',
  factory: 'factory-boy',
  faker: 'faker',
  freezegun: 'freezegun',
  hypothesis: 'hypothesis',
  mock: 'mock',
  parameterized: 'parameterized',
  pretend: 'pretend',
  pyfakefs: 'pyfakefs',
  pytest_asyncio: 'pytest-asyncio',
  pytest_cases: 'pytest-cases',
  pytest_mock: 'pytest-mock',
  pytest_subtests: 'pytest-subtests',
  requests_mock: 'requests-mock',
  respx: 'respx',
  responses: 'responses',
  sure: 'sure',
  syrupy: 'syrupy',
  testfixtures: 'testfixtures',
  time_machine: 'time-machine',
  trustme: 'trustme',
  vcr: 'vcrpy',
}

/** Fixtures and marks that only a plug-in gives. */
const fixtures: readonly { readonly sign: RegExp; readonly name: string }[] = [
  { sign: /def \w+\([^)]*\bmocker\b/, name: 'pytest-mock' },
  { sign: /mark\.asyncio\b/, name: 'pytest-asyncio' },
  { sign: /mark\.django_db\b/, name: 'pytest-django' },
  { sign: /def \w+\([^)]*\bbenchmark\b/, name: 'pytest-benchmark' },
  { sign: /def \w+\([^)]*\bhttpserver\b/, name: 'pytest-httpserver' },
]

export function testLibraries(sources: Iterable<string>): string[] {
  const found = new Set<string>()
  for (const source of sources)
    for (const { text } of logicalLines(source)) {
      for (const name of importedNames(text)) {
        if (Object.hasOwn(libraries, name)) found.add(libraries[name]!)
      }
      for (const { sign, name } of fixtures) if (sign.test(text)) found.add(name)
    }
  return [...found].sort()
}

/** Top-level names that an import line brings in: `import a.b as c, d` → a, d. */
export function importedNames(line: string): string[] {
  const from = /^from ([^\W\d]\w*)/u.exec(line)
  if (from) return [from[1]!]
  if (!line.startsWith('import ')) return []
  return line
    .slice('import '.length)
    .split(',')
    .map((part) => part.trim().split(/[.\s]/)[0]!)
}
