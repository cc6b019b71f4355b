import { describe, expect, it } from 'vitest'
import { openBudget, TooMuch } from './budget.ts'
import { openShellReader } from './shell-commands.ts'

const read = await openShellReader({ commands: 1_000_000, bytes: 1_000_000_000 })

/** Each command as `folder$ A=1 words [doubt]`. */
function linesOf(script: string, env: Readonly<Record<string, string>> = {}): string[] {
  return read({ script, env, folder: '' }).map((command) => {
    const set = Object.entries(command.env).map(([name, value]) => `${name}=${value} `)
    const doubt = command.doubt === undefined ? '' : ` [${command.doubt}]`
    return `${command.folder}$ ${set.join('')}${command.words.join('|')}${doubt}`.replaceAll('\uE000', '…')
  })
}

const cases: readonly [title: string, script: string, lines: readonly string[]][] = [
  ['chains', 'a && b; c | d & e', ['$ a', '$ b', '$ c', '$ d', '$ e']],
  ['continued lines and comments', 'apt-get install \\\n  a \\\n  b # c\n# d', ['$ apt-get|install|a|b']],
  ['quotes', `a 'b c' "d e"f $'g\\n'`, ['$ a|b c|d ef|g\n']],
  ['variables, split where they are not quoted', `P="x y"\na $P "$P" \${P}`, ['$ a|x|y|x y|x|y']],
  ['lists', `p=(x y)\np+=(z)\na "\${p[@]}" \${p[*]}`, ['$ a|x|y|z|x|y|z']],
  ['exported variables', 'export A=1 B="x y"\na $A "$B"', ['$ a|1|x y']],
  ['variables of one command', 'A=1 B="$A" a $A', ['$ A=1 B=… a|…']],
  ['defaults', `a \${X:-b c} "\${X:-b c}"`, ['$ a|b|c|b c']],
  [
    'parts that are taken away',
    `V=a.b.c\na \${V#*.} \${V##*.} \${V%.*} \${V%%.*} \${V#a} \${V%c} \${V#x} "\${V##a*}" \${V#?} \${W#a}`,
    ['$ a|b.c|c|a.b|a|.b.c|a.b.|a.b.c||…|…'],
  ],
  ['braces', 'a lib{x,y}-dev {1..3}', ['$ a|libx-dev|liby-dev|{1..3}']],
  ['what is not known', `a $X-b $(uname -r) \`c\` $((1 + 1)) \${X%y}`, ['$ a|…-b|…|…|…|…']],
  ['the number of processors', 'make -j$(nproc)', ['$ make|-j4']],
  ['folders', 'cd x && a\ncd ../y/z\nb\ncd "$D"\nc', ['x$ a', 'y/z$ b', '…$ c']],
  ['folders out of the tree', 'cd ../..\na\ncd /tmp\nb', ['…$ a', '…$ b']],
  ['subshells', '(cd x; A=1; a)\nb $A', ['x$ a', '$ b|…']],
  ['groups', '{ cd x; a; }\nb', ['x$ a', 'x$ b']],
  ['redirections', 'a > x 2>&1 < y\n{ b; } >> z', ['$ a', '$ b']],
  ['here-documents', 'a <<E\napt-get install b\nE\nc', ['$ a', '$ c']],
  ['loops', 'for p in x y; do a $p; done\nwhile b; do c; done', ['$ a|… [loop]', '$ c [loop]']],
  ['functions', 'f() { a; }\nb', ['$ a [function]', '$ b']],
  ['cases', 'case $X in a) b;; *) c;; esac', ['$ b [condition]', '$ c [condition]']],
  ['tests that hold', 'if [ "$RUNNER_OS" = "Linux" ]; then a; else b; fi', ['$ [|Linux|=|Linux|]', '$ a']],
  [
    'tests that do not hold',
    'if [[ $RUNNER_OS != Linux ]]; then a; elif [ -n "$CI" ]; then b; else c; fi',
    ['$ [|-n|true|]', '$ b'],
  ],
  [
    'tests that are not known',
    'if [ -f x ]; then A=1; a; else b; fi\nc $A',
    ['$ [|-f|x|]', '$ a [condition]', '$ b [condition]', '$ c|…'],
  ],
  ['tests of several parts', '[[ $RUNNER_OS == Linux && -z "" ]] && a', ['$ a']],
  [
    'patterns',
    '[[ $RUNNER_OS == Lin* ]] && a\n[[ $RUNNER_OS != *in* ]] && b\n[[ x == [xy] ]] && c',
    ['$ a', '$ c [condition]'],
  ],
  ['no patterns in plain tests', '[ Linux = Lin* ] && a', ['$ [|Linux|=|Lin*|]']],
  ['cases that are known', 'case $RUNNER_OS in mac*) a;; Lin*|x) b;; *) c;; esac', ['$ b']],
  [
    'cases of which some are known',
    'case $RUNNER_OS in [a-z]*) a;; *) b;; esac',
    ['$ a [condition]', '$ b [condition]'],
  ],
  [
    'tests before a command',
    '[ "$RUNNER_OS" = Windows ] && a || b\n[ x = x ] && c',
    ['$ [|Linux|=|Windows|]', '$ b', '$ [|x|=|x|]', '$ c'],
  ],
  ['what runs after a failure', 'a || b && c', ['$ a', '$ b [condition]', '$ c']],
  ['negations', 'if ! [ x = y ]; then a; fi', ['$ [|x|=|y|]', '$ a']],
  ['scripts in an argument', 'bash -ec "cd x; a b && c"', ['x$ a|b', 'x$ c']],
  ['nothing of what is no shell', 'if (', []],
]

describe('shell scripts', () => {
  for (const [title, script, lines] of cases) it(`are read with ${title}`, () => expect(linesOf(script)).toEqual(lines))

  it('see the variables of the job', () => expect(linesOf('a $V', { V: '3.10' })).toEqual(['$ a|3.10']))

  it('grow by no variable that doubles itself', () =>
    expect(linesOf(`A=xx\n${'A=$A$A\n'.repeat(60)}a $A`)).toEqual([expect.stringMatching(/^.{1,1010}$/)]))

  it('are left out where they are longer than a person writes', () => expect(linesOf('a\n'.repeat(20_000))).toEqual([]))

  it('say which values stand in them', () => {
    const [first] = read({ script: `A=1 B=$X C="x y" env D=1 E="$X" F='2' a`, env: {}, folder: '' })
    expect([...first!.literals]).toEqual(['A', 'C', 'D', 'F'])
    const [inner] = read({ script: 'bash -c "A=$X b"', env: { X: '1' }, folder: '' })
    expect([...inner!.literals]).toEqual([])
  })

  it('cost what they are made of', async () => {
    const small = await openShellReader(openBudget())
    const long = 'x'.repeat(1000)
    const again = (script: string) => () => {
      for (let time = 0; time < 1000; time++) small({ script, env: { X: long }, folder: '' })
    }
    expect(again('a $X $X $X $X\n'.repeat(100))).toThrow(TooMuch)
  })

  it('take linear time', () => {
    const started = Date.now()
    const pieces = ['(', '$(', '{a,', '`', 'if ', `\${a:-`, '$((', 'a=(', '[[ ( ', 'bash -c "', 'cd a\n', '{a,b}']
    for (const piece of [...pieces, 'f() ', 'f ( ) ', 'a|', 'A=1;', '[[ $A = x ]] && ', '( )', '(   '])
      linesOf(piece.repeat(16_000 / piece.length))
    expect(Date.now() - started).toBeLessThan(5000)
  })
})
