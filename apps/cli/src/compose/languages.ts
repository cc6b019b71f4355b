import { isR2eError, type LanguagePack } from '@r2e/spec'

export async function loadLanguages(): Promise<readonly LanguagePack[]> {
  const { languagePacks } = await import('@r2e/languages')
  return languagePacks
}

export interface LanguageNames {
  readonly names: readonly string[]
  /** The name that an alias, such as golang, stands for; undefined where there is no such language. */
  nameOf(alias: string): string | undefined
}

export async function languageNames(): Promise<LanguageNames> {
  const { languagePacks, packFor } = await import('@r2e/languages')
  const nameOf = (alias: string) => {
    try {
      return packFor(alias).name
    } catch (error) {
      if (isR2eError(error)) return undefined
      throw error
    }
  }
  return { names: languagePacks.map((pack) => pack.name), nameOf }
}
