import { type ExpressionContext, evaluateExpression } from './expression.ts'
import { type ExpressionValue, renderValue } from './expression-values.ts'
import { unresolved } from './unresolved.ts'

const longestValue = 2000

/** Puts the values of `${{ … }}` into a text. */
export function resolveTemplate(text: string, context: ExpressionContext): string {
  let resolved = ''
  let at = 0
  for (;;) {
    const start = text.indexOf('${{', at)
    const end = start < 0 ? -1 : text.indexOf('}}', start)
    if (end < 0) return resolved + text.slice(at)
    const value = evaluateExpression(text.slice(start + 3, end), context)
    const shown = value === undefined ? unresolved : renderValue(value)
    resolved += text.slice(at, start) + (shown.length > longestValue ? unresolved : shown)
    at = end + 2
  }
}

/** A list or map that one expression stands for keeps its type; other texts are filled in. */
export function resolveValue(text: string, context: ExpressionContext): ExpressionValue {
  const whole = /^\s*\$\{\{((?:(?!\}\})[\s\S])*)\}\}\s*$/.exec(text)?.[1]
  return whole === undefined ? resolveTemplate(text, context) : evaluateExpression(whole, context)
}
