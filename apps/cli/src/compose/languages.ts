import type { LanguagePack } from '@r2e/spec'

export async function loadLanguages(): Promise<readonly LanguagePack[]> {
  const { languagePacks } = await import('@r2e/languages')
  return languagePacks
}

export async function languageNames(): Promise<readonly string[]> {
  return (await loadLanguages()).map((pack) => pack.name)
}
