import { cleanSource } from '../braces/clean-source.ts'
import type { BraceSyntax } from '../braces/literals.ts'
import { type Member, membersOf } from '../braces/members.ts'

const syntax: BraceSyntax = { verbatim: true }

/** The types of a file with the namespace each stands in. */
export interface PlacedType {
  readonly namespace: string
  readonly type: Member
}

export function csharpTypes(source: string): readonly PlacedType[] {
  return placed(membersOf(cleanSource(source, syntax), syntax), '')
}

function placed(members: readonly Member[], outer: string): PlacedType[] {
  let namespace = outer
  return members.flatMap((member) => {
    if (member.kind === undefined) return []
    if (member.kind !== 'namespace') return [{ namespace, type: member }]
    const inner = outer === '' ? member.name : `${outer}.${member.name}`
    if (member.members.length > 0) return placed(member.members, inner)
    namespace = inner
    return []
  })
}
