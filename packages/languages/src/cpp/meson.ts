import { type BuildFiles, projectNames, shallowest } from './build-files.ts'
import { testOption } from './test-options.ts'

export function isMesonFile(name: string): boolean {
  return name === 'meson.build' || name === 'meson_options.txt' || name === 'meson.options'
}

export function mesonProject(files: BuildFiles): string | undefined {
  return /\btest\s*\(/.test(files.whole) ? shallowest(files, 'meson.build', /^[ \t]*project\s*\(/m) : undefined
}

const always = ['--wrap-mode=nodownload', '-Ddebug=false', '-Doptimization=0', '-Dwerror=false']

export function mesonOptions(files: BuildFiles): {
  readonly always: readonly string[]
  readonly own: readonly string[]
} {
  const projects = projectNames(files)
  const declared = files.whole.matchAll(/\boption\s*\(\s*'([A-Za-z][\w-]*)'\s*,([^()]*)\)/g)
  const own = [...declared].flatMap(([, name = '', rest = '']) => {
    const kind = /\btype\s*:\s*'(boolean|feature)'/.exec(rest)?.[1]
    const value = testOption(name, projects)
    if (kind === undefined || value === undefined) return []
    return [`-D${name}=${kind === 'boolean' ? value : value ? 'enabled' : 'disabled'}`]
  })
  return { always, own: own.sort() }
}

export function mesonNeeds({ whole }: BuildFiles): string[] {
  return [...new Set([...whole.matchAll(/\bdependency\s*\(\s*'([^'\n]+)'/g)].map((match) => match[1]!))]
}
