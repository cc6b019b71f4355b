import { bracketEnds, cleanCppSource, maskLiterals } from './clean-source.ts'

export interface Source {
  /** Without comments and macro definitions. */
  readonly text: string
  /** As long, with nothing in its literals: where to look. */
  readonly masked: string
  /** The index after the bracket that closes the one at an index. */
  readonly endOf: (open: number) => number
}

const define = /^[ \t]*#[ \t]*define(?:[^\n\\]|\\[\s\S])*$/gm

export function readSource(source: string): Source {
  const text = cleanCppSource(source).replace(define, '')
  const masked = maskLiterals(text)
  return { text, masked, endOf: bracketEnds(masked) }
}
