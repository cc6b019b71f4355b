/** A Markdown table; cells are one line. */
export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]): string => `| ${cells.map(cell).join(' | ')} |`
  return [line(head), `|${head.map(() => '---').join('|')}|`, ...rows.map(line)].join('\n')
}

function cell(text: string): string {
  const line = text.replaceAll('|', '\\|').replaceAll(/\s+/g, ' ').trim()
  return line.startsWith('`') ? line : line.replaceAll('<', '&lt;')
}

export function code(text: string): string {
  return text === '' ? '' : `\`${text}\``
}

/** Replaces what stands between `<!-- generated: NAME -->` and `<!-- end -->`. @throws Error on a mark without a block or a block without a mark */
export function fillMarks(text: string, blocks: Readonly<Record<string, string>>): string {
  const used = new Set<string>()
  const filled = text.replaceAll(/(<!-- generated: ([\w-]+) -->\n)[\s\S]*?(<!-- end -->)/g, (_, start, name, end) => {
    const block = blocks[name]
    if (block === undefined) throw new Error(`there is no generated block ${name}`)
    used.add(name)
    return `${start}\n${block}\n\n${end}`
  })
  const unused = Object.keys(blocks).filter((name) => !used.has(name))
  if (unused.length > 0) throw new Error(`no mark for the generated blocks ${unused.join(', ')}`)
  return filled
}
