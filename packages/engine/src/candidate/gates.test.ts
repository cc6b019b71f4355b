import { encodeUtf8 } from '@r2e/spec'
import { describe, expect, it } from 'vitest'
import { DRAFT } from '../render/__fixtures__/task-input.ts'
import { leakInText } from './gates.ts'

const role = (path: string) => (path.endsWith('.py') ? 'source' : 'docs') as 'source' | 'docs'
const context = { ports: { languages: [] }, role }

describe('leakInText', () => {
  for (const [name, written] of [
    ['a plain name', 'calc.py'],
    ['a name with a blank, which git ends with a tab', 'my calc.py\t'],
    ['a name that git quotes', '"caf\\303\\251.py"'],
  ] as const)
    it(`finds a line of the solution in a file of ${name}`, () => {
      const found = scan(written, 'Then `return first_operand + second_operand` is needed.')
      expect(found).toMatchObject({ reason: 'leak_in_text' })
    })

  it('looks at the text above the interface note, and not for words of documents', () => {
    expect(scan('calc.py', 'Sums are wrong.\n\n## Interface\n\nreturn first_operand + second_operand')).toBeUndefined()
    expect(scan('notes.md', 'return first_operand + second_operand')).toBeUndefined()
  })
})

function scan(name: string, instruction: string) {
  const quoted = name.startsWith('"')
  const [old, fresh] = quoted ? [`"a/${name.slice(1)}`, `"b/${name.slice(1)}`] : [`a/${name}`, `b/${name}`]
  const added = '+    return first_operand + second_operand\n'
  const patch = `diff --git ${old.trim()} ${fresh.trim()}\n--- ${old}\n+++ ${fresh}\n@@ -1 +1 @@\n-    pass\n${added}`
  return leakInText(context, 'c', { ...DRAFT, instruction, solution: encodeUtf8(patch) })
}
