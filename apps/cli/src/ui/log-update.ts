/** The part of the package log-update that is used. */
export interface LogUpdate {
  (...text: string[]): void
  clear(): void
  done(): void
  persist(...text: string[]): void
}
