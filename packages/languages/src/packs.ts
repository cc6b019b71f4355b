import { isCalled, type LanguagePack, userError } from '@r2e/spec'
import { cppPack } from './cpp/index.ts'
import { csharpPack } from './csharp/index.ts'
import { goPack } from './go/index.ts'
import { javaPack } from './java/index.ts'
import { javascriptPack } from './javascript/index.ts'
import { phpPack } from './php/index.ts'
import { pythonPack } from './python/index.ts'
import { rubyPack } from './ruby/index.ts'
import { rustPack } from './rust/index.ts'

/** Every language, in alphabetical order. */
export const languagePacks: readonly LanguagePack[] = [
  cppPack,
  csharpPack,
  goPack,
  javaPack,
  javascriptPack,
  phpPack,
  pythonPack,
  rubyPack,
  rustPack,
]

/** @throws R2eError `unknown_language` (fault user) */
export function packFor(name: string): LanguagePack {
  const pack = languagePacks.find((candidate) => isCalled(candidate, name))
  if (pack) return pack
  const names = languagePacks.map((candidate) => candidate.name).join(', ')
  throw userError('unknown_language', `there is no language "${name}"`, { fix: `Use one of: ${names}.` })
}
