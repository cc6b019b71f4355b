/** One fact about a task or a dataset that is wrong (`error`) or deserves a look (`warning`). */
export interface Finding {
  readonly level: 'error' | 'warning'
  /** snake_case word that programs may test. */
  readonly code: string
  /** One line: what and where. */
  readonly message: string
}

export function error(code: string, message: string): Finding {
  return { level: 'error', code, message }
}

export function warning(code: string, message: string): Finding {
  return { level: 'warning', code, message }
}
