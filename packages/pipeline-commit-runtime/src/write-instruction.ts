import type { HiddenApiInput } from '@r2e/kit'
import { instructionOf } from './instruction.ts'
import type { Reason } from './metadata-skip.ts'
import { type RewriteInput, rewriteStatement } from './rewrite-statement.ts'

export interface InstructionInput extends RewriteInput, Omit<HiddenApiInput, 'text' | 'source'> {}

export interface Written {
  readonly instruction: string
  /** `provider/model` whose words these are; absent where they are the authors'. */
  readonly model?: string | undefined
  /** What the model cost, also where its words were not taken; absent = unknown. */
  readonly nanoUsd?: number | undefined
}

/** The instruction around the report of a model where that makes one, else around the authors' words. */
export async function writeInstruction(authors: string, input: InstructionInput): Promise<Written | Reason> {
  const { text, model, nanoUsd } = await rewriteStatement(authors, input)
  const rewritten = text === undefined ? undefined : await instructionOf(text, input)
  if (typeof rewritten === 'string') return { instruction: rewritten, model, nanoUsd }
  const instruction = await instructionOf(authors, input)
  return typeof instruction === 'string' ? { instruction, nanoUsd } : instruction
}
