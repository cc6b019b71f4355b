import { execFileSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'
import { visitXml } from './xml.ts'

const grader = fileURLToPath(new URL('../../../grader/files/', import.meta.url))

/** What a document shows, with adjacent texts joined; undefined where it cannot be read. */
type Shown = readonly (readonly [kind: string, ...rest: unknown[]])[] | undefined

function byOurs(text: string): Shown {
  const shown: [string, ...unknown[]][] = []
  const failure = visitXml(text, /</, {
    open: (name, attributes) => void shown.push(['open', name, Object.entries(attributes).sort()]),
    close: (name) => void shown.push(['close', name]),
    text: (part) => {
      const last = shown.at(-1)
      if (last?.[0] === 'text') last[1] = `${last[1]}${part}`
      else if (part !== '') shown.push(['text', part])
    },
  })
  return failure === undefined ? shown : undefined
}

/** The same by `visit_xml` of the grader, whose parser is expat. */
function byGrader(texts: readonly string[]): Shown[] {
  const program = `import json, sys
sys.dont_write_bytecode = True
sys.path.insert(0, sys.argv[1])
from report import visit_xml
def show(text):
    shown = []
    def part(text):
        if shown and shown[-1][0] == "text":
            shown[-1][1] += text
        else:
            shown.append(["text", text])
    failure = visit_xml(text, "<", lambda name, found: shown.append(["open", name, sorted(map(list, found.items()))]), lambda name: shown.append(["close", name]), part)
    return None if failure else shown
print(json.dumps([show(text) for text in json.load(sys.stdin)]))`
  const options = { input: JSON.stringify(texts), maxBuffer: 1 << 30 }
  const shown: (Shown | null)[] = JSON.parse(execFileSync('python3', ['-I', '-c', program, grader], options).toString())
  return shown.map((one) => one ?? undefined)
}

/** Numbers below a bound, the same in every run (mulberry32). */
function numbers(seed: number): (bound: number) => number {
  let state = seed
  return (bound) => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) % bound
  }
}

const whole = [
  '<a b="1" c=\'2\'>x &lt; y<d/>\r\n<e f="&#65;&#x42;&amp;&quot;"></e ></a>\n',
  '<?xml version="1.0"?><!-- one --><a:b><![CDATA[ <&> ]]>tail<?go on?></a:b><!-- two -->',
  '<p __proto__="a" constructor="b"><q __proto__="a" __proto__="b"/></p>',
  '<r one="tab\tand\r\nline" two="">\rtext\r\n&apos;&gt;</r>',
]
const bits = [
  ...['<', '>', '/', '&', ';', '"', "'", '=', ' ', '\t', '\r', '\n', '-', '--', ']]>', '<!--', '-->', '<![CDATA['],
  ...['<?', '?>', '<?xml ?>', '<?XmL a?>', '<!DOCTYPE a>', '<a>', '</a>', '<d/>', ' b="1"', '&amp;', '&nope;', '&#0;'],
  ...['&#10;', '&#xD800;', '&#x10FFFF;', '&#x110000;', '&#00000000000000000065;', '&#X41;', '&#;', '\u0000', '\ufffe'],
  ...[
    '\u00e9',
    '\u{1f600}',
    '.',
    ':',
    '1',
    'x',
    '\ufeff',
    '\u0085',
    '\u2028',
    ' __proto__="a"',
    ' __proto__="b"',
    ' constructor="a"',
  ],
]

it('shows and refuses what the parser of the grader does, in 6,000 documents with random faults', () => {
  const pick = numbers(20261201)
  const texts = [...whole]
  while (texts.length < 6000) {
    let text = whole[pick(whole.length)]!
    for (let faults = 1 + pick(3); faults > 0; faults--) {
      const at = pick(text.length + 1)
      text = text.slice(0, at) + (pick(4) === 0 ? '' : bits[pick(bits.length)]!) + text.slice(at + pick(3))
    }
    texts.push(text.toWellFormed())
  }
  const theirs = byGrader(texts)
  const read = theirs.filter((shown) => shown !== undefined)
  expect(read.length).toBeGreaterThan(900)
  expect(texts.map((text) => [text, byOurs(text)])).toEqual(texts.map((text, at) => [text, theirs[at]]))
})
