import { userError } from '@r2e/spec'

const UNITS = ['', 'k', 'm', 'g', 't']

/** `500M`, `10G`: bytes, in steps of 1000. @throws R2eError `wrong_value` */
export function parseSize(text: string, flag: string): number {
  const [, count, unit = ''] = /^(\d{1,9}(?:\.\d+)?) ?([kmgt]?)b?$/i.exec(text) ?? []
  if (count !== undefined) return Number(count) * 1000 ** UNITS.indexOf(unit.toLowerCase())
  throw userError('wrong_value', `${flag} must be a size, got ${JSON.stringify(text)}`, {
    fix: `for instance ${flag} 10G`,
  })
}

/** `1.2 GB`, `340 kB`, `12 B`. */
export function sizeText(bytes: number): string {
  const step = bytes < 1000 ? 0 : Math.min(UNITS.length - 1, Math.floor(Math.log10(bytes) / 3))
  const value = bytes / 1000 ** step
  return `${value < 10 && step > 0 ? value.toFixed(1) : Math.round(value)} ${UNITS[step]!.toUpperCase().replace('K', 'k')}B`
}
