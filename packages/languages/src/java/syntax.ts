import { cleanSource } from '../braces/clean-source.ts'
import type { BraceSyntax } from '../braces/literals.ts'
import { type Member, membersOf } from '../braces/members.ts'

const syntaxes: Readonly<Record<string, BraceSyntax>> = {
  java: {},
  kt: { nestedComments: true, templates: true, lineEnds: true },
  groovy: { templates: true, lineEnds: true },
  scala: { nestedComments: true, templates: true, lineEnds: true },
}

/** The members of a JVM source file; none for other files. */
export function jvmMembers(path: string, source: string): readonly Member[] {
  const syntax = syntaxes[path.slice(path.lastIndexOf('.') + 1)]
  return syntax ? membersOf(cleanSource(source, syntax), syntax) : []
}
