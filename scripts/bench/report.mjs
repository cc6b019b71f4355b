/**
 * A row: `name`, `n`, `ours` and `theirs` ({ label, value, unit, capped? }), their `ratio`, and `held`: values with the
 * floor they may not miss and the aim. `skipped` says why there are none.
 */
export function linesOf(row) {
  if (row.skipped) return `  ${row.name}: could not run: ${row.skipped}`
  const sides = [row.ours, row.theirs].map(({ label, value, unit, capped }) => {
    return `${label} ${capped ? '> ' : ''}${show(value, unit)}`
  })
  const sign = row.theirs.capped ? '< ' : ''
  const first = `  ${row.name}: ${sides.join(', ')}, ratio ${sign}${show(row.ratio, '×')} (n=${row.n})${row.note ? `; ${row.note}` : ''}`
  return [first, ...row.held.map((held) => `    ${heldLine(held)}`)].join('\n')
}

export const headingOf = (name, method) => `\n${name}\n  ${method}`

/** Values of a row that miss their floor. */
export function missed(row) {
  return (row.held ?? []).filter((held) => !reaches(held, held.floor))
}

function heldLine(held) {
  const { label, value, unit, bound, floor, aim } = held
  const sign = bound === 'most' ? '≤' : '≥'
  const verdict = !reaches(held, floor) ? 'MISSED' : reaches(held, aim) ? 'aim reached' : 'ok'
  return `${label} ${show(value, unit)}: ${verdict} (floor ${sign} ${show(floor, unit)}, aim ${sign} ${show(aim, unit)})`
}

const reaches = ({ value, bound }, limit) => (bound === 'most' ? value <= limit : value >= limit)

function show(value, unit) {
  if (unit === '%') return `${(value * 100).toFixed(1)} %`
  return `${Number(value.toPrecision(3))}${unit === '×' ? '' : ' '}${unit}`
}
