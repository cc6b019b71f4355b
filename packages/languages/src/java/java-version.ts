import type { RecipeOrigin } from '@r2e/spec'
import type { Manifests } from '../manifests.ts'

/** Releases with long-term support, for which there are images. */
const releases = [8, 11, 17, 21, 25] as const

export interface JavaVersion {
  readonly release: number
  readonly origin: RecipeOrigin
}

/** The version files of a repository's root: jenv and others, SDKMAN, asdf. */
export async function javaVersionFile(manifests: Manifests): Promise<JavaVersion | undefined> {
  const patterns = {
    '.java-version': /(\d[\d.]*)/,
    '.sdkmanrc': /^java=(\d[\d.]*)/m,
    '.tool-versions': /^java [^\d\n]*(\d[\d.]*)/m,
  }
  for (const [file, pattern] of Object.entries(patterns)) {
    if (!manifests.has(file)) continue
    const release = releaseNumber(pattern.exec((await manifests.read(file)) ?? '')?.[1])
    if (release !== undefined) return { release, origin: { fact: `Java ${release}`, file } }
  }
  return undefined
}

/** `1.8` → 8, `17.0.2` → 17. */
export function releaseNumber(text: string | undefined): number | undefined {
  const match = /^(?:1\.)?(\d{1,2})(?:\D|$)/.exec(text?.trim() ?? '')
  return match ? Number(match[1]) : undefined
}

/** The oldest release for which there is an image that can build this one. */
export function imageRelease(release: number): number {
  return releases.find((candidate) => candidate >= release) ?? releases.at(-1)!
}
