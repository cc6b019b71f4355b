/** Milliseconds until the endpoint wants to be asked again, as it says; a date counts from the endpoint's own clock. */
export function retryAfter(headers: Headers): number | undefined {
  const milliseconds = number(headers.get('retry-after-ms'))
  if (milliseconds !== undefined) return milliseconds
  const text = headers.get('retry-after')
  const seconds = number(text)
  if (seconds !== undefined) return seconds * 1000
  const wait = Date.parse(text ?? '') - Date.parse(headers.get('date') ?? '')
  return Number.isNaN(wait) ? undefined : Math.max(0, wait)
}

function number(text: string | null): number | undefined {
  return text !== null && /^\s*\d+(?:\.\d+)?\s*$/.test(text) ? Number(text) : undefined
}
