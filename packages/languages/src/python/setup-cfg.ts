import { classifierVersions, type Facts } from './facts.ts'
import type { IniFile } from './ini.ts'
import { normalName, parseRequirements, type Requirement } from './requirement.ts'
import { requirementLines } from './requirements-file.ts'

/** What the declarative tables of setup.cfg say. */
export function setupCfgFacts(ini: IniFile): Facts {
  const metadata = ini.get('metadata')
  const options = ini.get('options')
  const name = metadata?.get('name')
  const groups = new Map<string, Requirement[]>()
  for (const [extra, text] of ini.get('options.extras_require') ?? []) groups.set(extra, list(text))
  const tests = list(options?.get('tests_require'))
  if (tests.length > 0) groups.set('tests', [...(groups.get('tests') ?? []), ...tests])
  return {
    name: name ? normalName(name) : undefined,
    python: options?.get('python_requires'),
    classifiers: classifierVersions((metadata?.get('classifiers') ?? metadata?.get('classifier') ?? '').split('\n')),
    runtime: list(options?.get('install_requires')),
    build: list(options?.get('setup_requires')),
    groups,
    local: [],
  }
}

function list(text: string | undefined): Requirement[] {
  return parseRequirements(requirementLines(text ?? ''))
}
