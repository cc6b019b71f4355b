import type { SkipReason } from '@r2e/spec'

export interface Reason {
  readonly reason: SkipReason
  readonly detail: string
}
