import { isElsewhere, openSurroundings } from './gemfile-blocks.ts'

/** A gem that the project asks for. */
export interface Gem {
  readonly name: string
  /** `~> 1.2`, `>= 1`; any version where empty. */
  readonly requirements: readonly string[]
  /** What Bundler.require loads for it, where that is not its name; `false`: nothing. */
  readonly require?: string | false | undefined
}

const declaration =
  /^[ \t]*(?:gem|\w+\.add_(?:runtime_|development_)?dependency)[ \t]*\(?[ \t]*(?:%q<([\w.-]+)>|["']([\w.-]+)["'])(?:\.freeze)?(.*)$/
const requirement = /^(?:(?:=|!=|>=?|<=?|~>) *)?\d[0-9A-Za-z.-]*$/

const platformOption = /\bplatforms?(?::|"? *=>) *(\[[^\]]*\]|:\w+)/

/**
 * The gems of a Gemfile or gemspec, by the shape of their lines: neither is ever run. A gem from a path is the
 * project's own; one from a git repository is taken from its releases; one for another platform is left out. What a
 * condition says of a version is not known.
 */
export function parseGems(text: string): Gem[] {
  const gems: Gem[] = []
  const surroundings = openSurroundings()
  for (const line of text.split('\n')) {
    const { elsewhere, conditional } = surroundings.at(line)
    const gem = elsewhere ? undefined : parseGem(line)
    if (gem) gems.push(conditional ? { ...gem, requirements: [] } : gem)
  }
  return gems
}

function parseGem(line: string): Gem | undefined {
  const [, quoted, name = quoted, rest = ''] = declaration.exec(line) ?? []
  if (name === undefined || /\bpath(?:: |"? *=>)/.test(rest) || isElsewhere(platformOption.exec(rest)?.[1]))
    return undefined
  const options = rest.search(/[,(]\s*(?::?\w+:? *=>|\w+: )/)
  const head = options < 0 ? rest : rest.slice(0, options)
  const load = /\brequire(?:: *|"? *=> *)(?:(false)|["']([\w./-]+)["'])/.exec(line)
  return {
    name,
    requirements: /\b(?:if|unless)\b/.test(rest) ? [] : versionsIn(head),
    ...(load && { require: load[1] ? (false as const) : load[2]! }),
  }
}

function versionsIn(text: string): string[] {
  return [...text.matchAll(/["']([^"']+)["']/g)]
    .map((match) => match[1]!.trim())
    .filter((word) => requirement.test(word))
}

/** One gem a name: the first that states a version, else the first. */
export function uniqueGems(gems: readonly Gem[]): Gem[] {
  const found = new Map<string, Gem>()
  for (const gem of gems) {
    const known = found.get(gem.name)
    if (!known) found.set(gem.name, gem)
    else if (known.requirements.length === 0) found.set(gem.name, { ...known, requirements: gem.requirements })
  }
  return [...found.values()]
}

/** Names and versions below `specs:` of the released gems of a Gemfile.lock; platforms of one version are one. */
export function lockedGems(lock: string): ReadonlyMap<string, string> {
  const found = new Map<string, string>()
  for (const section of lock.split(/^(?=[A-Z])/m)) {
    if (!section.startsWith('GEM\n')) continue
    for (const [, name, version] of section.matchAll(/^ {4}([\w.-]+) \((\d[\w.]*)(?:-[\w.-]+)?\)$/gm))
      if (!found.has(name!)) found.set(name!, version!)
  }
  return found
}

/** A Gemfile of ours; every word in it fits a pattern that leaves nothing to run. */
export function formatGemfile(gems: readonly Gem[]): string {
  const lines = gems.map(({ name, requirements, require: load }) =>
    [
      `gem '${name}'`,
      ...requirements.map((text) => `'${text}'`),
      ...(load === undefined ? [] : [`require: ${load === false ? 'false' : `'${load}'`}`]),
    ].join(', '),
  )
  return `source 'https://rubygems.org'\n\n${lines.join('\n')}\n`
}

/** Linters, documentation, release and watch tools: no test needs them. */
const tools =
  /^(?:rubocop|yard|guard|solargraph|steep|overcommit|danger|brakeman|reek|bundler-audit)(?:-|$)|^(?:standard|appraisal|bump|gem-release|github_changelog_generator|redcarpet|rdoc|ruby-lsp|sorbet|tapioca|typeprof|fasterer|flay|flog|mdl|travis|wwtd|rake-release|release|codecov|ruby-prof|memory_profiler|stackprof|bundler)$/

export function withoutTools(gems: readonly Gem[]): Gem[] {
  return gems.filter(({ name }) => !tools.test(name))
}
