/** The test program that left a report: the report lies where the program does, with an ending of its own. */
export function programOf(path: string, unknown: string): string {
  return path.replace(/\.(?:json|xml)$/, '') || unknown
}
