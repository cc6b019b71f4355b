import { execFile } from 'node:child_process'
import type { Check } from './check.ts'

export interface Program {
  readonly name: string
  readonly argv: readonly [string, ...string[]]
  /** Major and minor version. */
  readonly least: readonly [number, number]
  readonly needed: boolean
  readonly fix: string
}

export function programCheck(program: Program): Promise<Check> {
  const { name, argv, least, needed, fix } = program
  const [command, ...rest] = argv
  return new Promise((done) => {
    execFile(command, rest, { timeout: 10_000 }, (error, stdout) => {
      if (error) return done({ name, ok: false, needed, detail: 'not found', fix, warnings: [] })
      const version = /(\d+)\.(\d+)[\w.]*/.exec(stdout)
      const [major, minor] = [Number(version?.[1]), Number(version?.[2])]
      const ok = major > least[0] || (major === least[0] && minor >= least[1])
      const detail = `${version?.[0] ?? stdout.trim()}${ok ? '' : `, older than ${least.join('.')}`}`
      done({ name, ok, needed, detail, warnings: [], ...(ok ? {} : { fix }) })
    })
  })
}
