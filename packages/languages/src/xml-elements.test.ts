import { expect, it } from 'vitest'
import { allElements, elementAt, parseXml } from './xml-elements.ts'

it('reads elements, attributes and text of a build file, comments and data sections too', () => {
  const document = parseXml(
    '<?xml version="1.0"?><!DOCTYPE a><a b="1 &gt; 0" c=\'d\'><!-- <e>no</e> --> x &amp; y <e/><e>2</e><![CDATA[<f>]]></a>',
  )
  expect(elementAt(document, 'a')).toMatchObject({ text: 'x & y<f>', attributes: { b: '1 > 0', c: 'd' } })
  expect([...allElements(document)].map(({ name }) => name)).toEqual(['', 'a', 'e', 'e'])
  expect(elementAt(document, 'a', 'e', 'f')).toBeUndefined()
})

it('reads what it can of a document that is not well-formed', () => {
  expect(elementAt(parseXml('</x><a><b>1</c><d>2'), 'a', 'b', 'd')?.text).toBe('2')
})

it('takes linear time on hostile text', () => {
  for (const unit of ['<', '<a', '<a>', '</a>', '<!--', '<a b="', '<a b=">', '&lt', '<![CDATA['])
    parseXml(unit.repeat(200_000))
}, 10_000)
