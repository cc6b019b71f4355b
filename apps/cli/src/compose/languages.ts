import { isR2eError, type LanguagePack } from '@r2e/spec'

export async function loadLanguages(): Promise<readonly LanguagePack[]> {
  const { languagePacks } = await import('@r2e/languages')
  return languagePacks
}

export interface LanguageNames {
  readonly names: readonly string[]
  /** Also says yes to an alias, such as golang. */
  knows(name: string): boolean
}

export async function languageNames(): Promise<LanguageNames> {
  const { languagePacks, packFor } = await import('@r2e/languages')
  const knows = (name: string): boolean => {
    try {
      return packFor(name) !== undefined
    } catch (error) {
      if (isR2eError(error)) return false
      throw error
    }
  }
  return { names: languagePacks.map((pack) => pack.name), knows }
}
