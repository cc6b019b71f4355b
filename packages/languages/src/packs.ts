import { type LanguagePack, userError } from '@r2e/spec'
import { csharpPack } from './csharp/index.ts'
import { goPack } from './go/index.ts'
import { javaPack } from './java/index.ts'
import { pythonPack } from './python/index.ts'

/** Every language, in alphabetical order. */
export const languagePacks: readonly LanguagePack[] = [csharpPack, goPack, javaPack, pythonPack]

const aliases: Readonly<Record<string, string>> = {
  'c#': 'csharp',
  cs: 'csharp',
  dotnet: 'csharp',
  golang: 'go',
  groovy: 'java',
  jvm: 'java',
  kotlin: 'java',
  kt: 'java',
  py: 'python',
  python3: 'python',
}

/** @throws R2eError `unknown_language` (fault user) */
export function packFor(name: string): LanguagePack {
  const wanted = name.toLowerCase()
  const known = Object.hasOwn(aliases, wanted) ? aliases[wanted] : wanted
  const pack = languagePacks.find((candidate) => candidate.name === known)
  if (pack) return pack
  const names = languagePacks.map((candidate) => candidate.name).join(', ')
  throw userError('unknown_language', `there is no language "${name}"`, { fix: `Use one of: ${names}.` })
}
