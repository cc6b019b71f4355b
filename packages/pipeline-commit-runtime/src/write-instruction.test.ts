import type { LeakFacts } from '@r2e/kit'
import { encodeUtf8, type FileChange, type Tree } from '@r2e/spec'
import { fakeModel } from '@r2e/testing'
import * as v from 'valibot'
import { expect, it } from 'vitest'
import { OptionsSchema } from './options.ts'
import { writeInstruction } from './write-instruction.ts'

const NAMES = Array.from({ length: 70 }, (_, index) => `kind_of_${index}`)
const change = (path: string, lines: readonly string[]) =>
  ({
    path,
    patch: encodeUtf8(
      `diff --git a/${path} b/${path}\n--- a/${path}\n+++ b/${path}\n@@ -0,0 +1,${lines.length} @@\n${lines.map((line) => `+${line}\n`).join('')}`,
    ),
  }) as unknown as FileChange
const facts: LeakFacts = { goldLines: [], hiddenIds: [], hiddenPaths: [], ids: [], goldNames: [] }
const emptyTree = { entries: async () => [], read: async () => undefined } as unknown as Tree
const report = '**The kinds are missing**\n\n## Description\n\nNo kind is known to the program. All of them should be.'

async function write(authors: string) {
  const model = fakeModel({ answer: () => ({ text: report }) })
  const options = v.parse(OptionsSchema, { synthesize_with_llm: true })
  const { signal } = new AbortController()
  return writeInstruction(authors, {
    words: 20,
    facts,
    source: [
      change(
        'kinds.py',
        NAMES.map((name) => `def ${name}(): pass`),
      ),
    ],
    tests: [
      change(
        'test_kinds.py',
        NAMES.map((name) => `    assert ${name}() is None`),
      ),
    ],
    tree: emptyTree,
    options,
    model,
    signal,
  })
}

it('keeps the words of the authors where those of a model leave too many names untold', async () => {
  const written = await write(`Name all kinds: ${NAMES.join(', ')}`)
  expect(written).toMatchObject({ instruction: expect.stringMatching(/^Name all kinds: kind_of_0, /) })
  expect(written).not.toHaveProperty('model')
})

it('makes no instruction where neither tells enough', async () => {
  expect(await write('Name all the kinds there are')).toMatchObject({ reason: 'hidden_api' })
})
