import type { TestPiece } from '@r2e/spec'
import { bodyItems, type RustItem, rustItems } from './items.ts'

/**
 * The items of a source file that are compiled for tests alone: under `cfg(test)` or a condition that implies it, test
 * functions, and a module `test` or `tests` of the file's own that holds test functions. From the first attribute or
 * doc comment to the end of the item. The grader's `rust.py` finds the same.
 */
export function rustTestPieces(text: string): readonly TestPiece[] {
  if (!text.includes('test')) return []
  const pieces = rustItems(text).filter((item) => isTestItem(text, item))
  return pieces.map(({ start, end, kind, name, head }) => ({
    start,
    end,
    key: kind === 'mod' || kind === 'fn' ? `${kind} ${name}` : head,
  }))
}

export function isTestFunction({ kind, attributes }: Pick<RustItem, 'kind' | 'attributes'>): boolean {
  return kind === 'fn' && attributes.some((attribute) => TEST_ATTRIBUTE.test(attribute))
}

/** `test`, `tokio :: test ( … )`, `rstest`, `test_case ( … )`, `wasm_bindgen_test`. */
const TEST_ATTRIBUTE = /^(?:[\w]+ : : )*(?:test|rstest|quickcheck|proptest|test_\w+|\w+_test)(?: \(|$)/

function isTestItem(text: string, item: RustItem): boolean {
  if (item.attributes.some(impliesTest) || isTestFunction(item)) return true
  return (
    item.kind === 'mod' &&
    /^tests?$/.test(item.name) &&
    !item.visible &&
    bodyItems(text, item).some((inner) => isTestFunction(inner))
  )
}

/** Whether an attribute is a `cfg` that holds in test builds alone. */
function impliesTest(attribute: string): boolean {
  const condition = /^cfg \( (.*) \)$/s.exec(attribute)?.[1]
  return condition !== undefined && condition.length < 2000 && predicate(condition.split(' '), { at: 0 })
}

function predicate(words: readonly string[], place: { at: number }): boolean {
  const name = words[place.at++]
  if (words[place.at] !== '(') {
    if (words[place.at] === '=') place.at += 2
    return name === 'test'
  }
  const parts: boolean[] = []
  for (place.at++; place.at < words.length && words[place.at] !== ')'; ) {
    if (words[place.at] === ',') place.at++
    else parts.push(predicate(words, place))
  }
  place.at++
  if (name === 'all') return parts.some(Boolean)
  return name === 'any' && parts.length > 0 && parts.every(Boolean)
}
