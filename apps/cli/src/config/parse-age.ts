import { userError } from '@r2e/spec'

const SECONDS: Readonly<Record<string, number>> = { s: 1, m: 60, h: 3600, d: 86_400, w: 604_800 }

/** `30d`, `12h`, `90m`, `2w` in milliseconds. @throws R2eError `wrong_value` */
export function parseAge(text: string, flag: string): number {
  const [, count, unit] = /^(\d{1,6}) ?([smhdw])$/.exec(text) ?? []
  if (count !== undefined && unit !== undefined) return Number(count) * SECONDS[unit]! * 1000
  throw userError('wrong_value', `${flag} must be a number and a unit, got ${JSON.stringify(text)}`, {
    fix: `for instance ${flag} 30d; units are s, m, h, d and w`,
  })
}
