/** Where a line of a Gemfile stands. */
export interface Surroundings {
  /** In a block for platforms that our image is not. */
  readonly elsewhere: boolean
  /** In a branch that may not be taken. */
  readonly conditional: boolean
}

type Block = 'plain' | 'conditional' | 'elsewhere'

const branch = /^\s*(?:(?:if|unless|case)\b|[\w@.]+ *\|{0,2}= *(?:if|unless|case)\b)/
const otherBranch = /^\s*(?:elsif|else|when|in)\b/
const plain = /^\s*(?:while|until|for|begin|def|class|module)\b|\bdo *(?:\|[^|]*\|)? *$/
const platforms = /^\s*platforms?\b[ (]*(.*?)\)? *\bdo\b/
const otherRuby =
  /^\s*(?:els)?if\b.*(?:RUBY_(?:ENGINE|PLATFORM) *={2,3} *["'](?:jruby|rbx|truffleruby|java)|defined\?[ (]*JRUBY_VERSION)/

/** Follows the blocks of a Gemfile, line by line. */
export function openSurroundings(): { at(line: string): Surroundings } {
  const open: Block[] = []
  return {
    at(line) {
      const code = line.replace(/(?:^|\s)#.*$/, '').trimEnd()
      if (/^\s*end\b/.test(code)) open.pop()
      else if (otherBranch.test(code) && open.length > 0) open[open.length - 1] = branchOf(code)
      else if (!/\bend$/.test(code)) open.push(...opened(code))
      return { elsewhere: open.includes('elsewhere'), conditional: open.includes('conditional') }
    },
  }
}

function opened(code: string): Block[] {
  const listed = platforms.exec(code)?.[1]
  if (listed !== undefined) return [isElsewhere(listed) ? 'elsewhere' : 'plain']
  if (branch.test(code)) return [branchOf(code)]
  return plain.test(code) ? ['plain'] : []
}

function branchOf(code: string): Block {
  return otherRuby.test(code) && !/&&|\band\b/.test(code) ? 'elsewhere' : 'conditional'
}

/** Whether all platforms of a list are others than ours. */
export function isElsewhere(list = ''): boolean {
  const names = list.match(/:\w+/g) ?? []
  return (
    names.length > 0 && names.every((name) => /^:(?:jruby|rbx|truffleruby|mswin|mingw|x64_mingw|windows)/.test(name))
  )
}
