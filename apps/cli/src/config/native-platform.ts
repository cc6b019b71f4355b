import { userError } from '@r2e/spec'

export type Platform = 'linux/amd64' | 'linux/arm64'

/**
 * The platform of this machine. Images of another processor would run in an emulator, whose times and faults are none of
 * the project's.
 * @throws R2eError `platform_not_native` where another is wanted
 */
export function nativePlatform(wanted: Platform | null): Platform {
  const native = process.arch === 'arm64' ? 'linux/arm64' : 'linux/amd64'
  if (wanted === null || wanted === native) return native
  throw userError('platform_not_native', `environments of ${wanted} cannot be proven on a machine of ${native}`, {
    fix: `run on a machine of ${wanted}, or leave --platform out`,
  })
}
