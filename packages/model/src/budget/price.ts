import { type ModelPrice, type ModelUsage, userError } from '@r2e/spec'

const amount = '(\\d+(?:\\.\\d{1,6})?)'
const written = new RegExp(`^\\s*${amount}\\s*,\\s*${amount}\\s*$`)

/** @param text USD for a million tokens, as on price lists: input, then output. @throws R2eError `bad_price` */
export function parsePrice(text: string): ModelPrice {
  const [, input, output] = written.exec(text) ?? []
  if (input === undefined || output === undefined)
    throw userError('bad_price', `"${text}" is no price`, {
      fix: 'give USD for a million tokens, input and output: --price 3,15',
    })
  return { input: microUsd(input), output: microUsd(output) }
}

const microUsd = (usd: string): number => Math.round(Number(usd) * 1e6)

/** In 10⁻⁹ USD, rounded up; undefined where the price is unknown. */
export function costOf(usage: ModelUsage, price: ModelPrice | undefined): number | undefined {
  if (!price) return undefined
  return Math.ceil((usage.inputTokens * price.input + usage.outputTokens * price.output) / 1000)
}
