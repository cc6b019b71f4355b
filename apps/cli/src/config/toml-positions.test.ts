import { parse } from 'smol-toml'
import { expect, it } from 'vitest'
import { tomlPositions } from './toml-positions.ts'

const text = `# a comment = not a key
seed = 3
"quoted key" = 1

[repo]
url = """
ref = "inside a string"
[output]
""" # ref = 1
  ref = 'v1' # ends
list = [
  "a = b", # inner = 1
  { x = 1 },
]
[ pipeline . options ]
limit = { deep = 1 }
a.b.'c d' = 2
last = '''it''s''''
`

it('finds keys of tables, dotted and quoted keys, past strings and arrays over many lines', () => {
  expect(() => parse(text)).not.toThrow()
  const at = tomlPositions(text)
  expect(at(['seed'])).toEqual({ line: 2, column: 1 })
  expect(at(['quoted key'])).toEqual({ line: 3, column: 1 })
  expect(at(['repo'])).toEqual({ line: 5, column: 1 })
  expect(at(['repo', 'url'])).toEqual({ line: 6, column: 1 })
  expect(at(['repo', 'ref'])).toEqual({ line: 10, column: 3 })
  expect(at(['repo', 'list'])).toEqual({ line: 11, column: 1 })
  expect(at(['pipeline', 'options'])).toEqual({ line: 15, column: 1 })
  expect(at(['pipeline', 'options', 'limit', 'deep'])).toEqual({ line: 16, column: 1 })
  expect(at(['pipeline', 'options', 'a', 'b', 'c d'])).toEqual({ line: 17, column: 1 })
  expect(at(['pipeline', 'options', 'last'])).toEqual({ line: 18, column: 1 })
})

it('answers the nearest parent of a key that is absent, and nothing without one', () => {
  const at = tomlPositions(text)
  expect(at(['repo', 'access'])).toEqual({ line: 5, column: 1 })
  expect(at(['output'])).toBeUndefined()
})

it('ends on any text, parsed or not, in linear time', () => {
  for (const odd of [
    '',
    '=',
    '[',
    '"""',
    "'''",
    '[[[',
    '"',
    '\u0000',
    'a = "\\',
    '"'.repeat(50_000),
    '['.repeat(50_000),
  ]) {
    expect(tomlPositions(odd)(['a', 'b'])).toSatisfy((found) => found === undefined || found !== null)
  }
})
